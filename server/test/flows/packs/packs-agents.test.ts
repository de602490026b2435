import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { captureChainOf } from '../../../src/domains/recording/evidence/evidence.chain.service.ts'
import { buildCaptureSession, type CaptureSession, refusal, storedFiles } from '../../test-support/capture-session.ts'
import { captureSigner } from '../../test-support/capture-signer.ts'
import { everyEngine } from '../../test-support/engines.ts'
import { type PackedItem, packedSound, packedStill, sendPack } from '../../test-support/packs.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'
import { allLanes, registration } from '../../test-support/world.ts'
import { bytesOf } from '../evidence/downloads.test-support.ts'
import { evidenceOf, scopeOf } from '../evidence/evidence.test-support.ts'
import { trailOf } from './packs.test-support.ts'

const rounds = 4

for (const engine of everyEngine())
  describe(`two agents of one session that send packs at once (${engine})`, () => {
    let server: TestServer
    beforeAll(async () => {
      server = await startServer({ engine })
    })
    afterAll(() => server.stop())
    const { list, download } = evidenceOf(() => server)
    const trail = trailOf(() => server)

    /** Another machine of the same candidate: its own token, its own key. */
    const joinAgain = async ({ api, id }: CaptureSession): Promise<string> => {
      const link = await api.call('sessions.joinLinks.create', { params: { id }, body: { role: 'candidate' } })
      const { data } = await server.client().call('agent.sessions.join', { body: { joinCode: link.data.joinCode } })
      return data.sessionToken
    }
    const machineOf = async (s: CaptureSession, token: string) => {
      const signer = captureSigner(s.id)
      const agreed = await registration(server, { id: s.id, agent: token } as never, allLanes)
      const agent = server.client(token)
      const captureKey = signer.registration(agreed.consent.documentHash)
      await agent.call('agent.sessions.register', { body: { ...agreed, captureKey } })
      const signed = ({ head, body }: PackedItem): PackedItem => ({
        head: { ...head, captureSignature: signer.item({ ...head, capturedAt: head['capturedAt'] } as never) },
        body,
      })
      return { agent, id: s.id, signed }
    }
    const twoMachines = async () => {
      const s = await buildCaptureSession(server, { registered: false })
      const first = await machineOf(s, s.token)
      const second = await machineOf(s, await joinAgain(s))
      return { s, first, second }
    }
    /** Stills that are signed, and sound whose numbers the other machine uses, too. */
    const makePack = async ({ signed }: { signed: (item: PackedItem) => PackedItem }, round: number) => [
      signed(await packedStill(server)),
      signed(await packedStill(server)),
      packedSound(server, { sequence: round }),
    ]

    it('has every item of both once, byte for byte, each machine’s chain whole', async () => {
      const { s, first, second } = await twoMachines()
      const sent: PackedItem[] = []
      const sendAll = async (machine: typeof first) => {
        const packs = []
        for (let round = 0; round < rounds; round += 1) packs.push(await makePack(machine, round))
        sent.push(...packs.flat())
        return (await Promise.all(packs.map((pack) => sendPack(machine, pack)))).flat()
      }
      const items = (await Promise.all([sendAll(first), sendAll(second)])).flat()
      expect(new Set(items.map(({ status }) => status))).toEqual(new Set(['stored']))
      const { items: rows, total } = await list(s, { limit: 100 })
      expect(total).toBe(sent.length)
      expect(rows.map(({ sha256 }) => sha256).toSorted()).toEqual(
        sent.map(({ head }) => String(head['sha256'])).toSorted(),
      )
      for (const { head, body } of sent) {
        const { id } = rows.find(({ sha256 }) => sha256 === head['sha256'])!
        expect((await bytesOf(await download(s, id))).bytes.equals(body)).toBe(true)
      }
      const { reader } = server.app.db
      const chain = await captureChainOf({ ...server.app, reader, scope: scopeOf(s) }, s.id)
      expect(chain).toMatchObject({ signedItems: 2 * 2 * rounds, notVerifiedItems: 0 })
      expect(
        chain.chains.map(({ items: count, missingItems, brokenPlaces }) => [count, missingItems, brokenPlaces]),
      ).toEqual([
        [2 * rounds, 0, 0],
        [2 * rounds, 0, 0],
      ])
      expect(await trail.faults(s)).toEqual([])
      const counted = await reader.get(
        'SELECT objects, size_bytes AS bytes FROM evidence_totals WHERE session_id = ?',
        [s.id],
      )
      expect(counted).toEqual({ objects: sent.length, bytes: sent.reduce((sum, { body }) => sum + body.length, 0) })
    })

    it('that both captured the same bytes has two observations of one object', async () => {
      const { s, first, second } = await twoMachines()
      const still = await packedStill(server)
      const files = (await storedFiles(server, 'objects')).length
      const other = { ...still, head: { ...still.head, clientId: `${still.head.clientId}-2` } }
      const [[one], [two]] = await Promise.all([sendPack(first, [still]), sendPack(second, [other])])
      expect([one!.status, two!.status]).toEqual(['stored', 'stored'])
      expect(one!.evidence!.id).not.toBe(two!.evidence!.id)
      await server.processAll()
      expect((await storedFiles(server, 'objects')).length).toBe(files + 1)
      for (const { evidence } of [one!, two!])
        expect((await bytesOf(await download(s, evidence!.id))).bytes.equals(still.body)).toBe(true)
      expect(await trail.faults(s)).toEqual([])
    })

    it('that chose one clientId for other bytes refuses one of the two, and none of their neighbours', async () => {
      const { s, first, second } = await twoMachines()
      const clientId = 'chosen-by-both'
      const packs = await Promise.all(
        [first, second].map(async () => [await packedStill(server), await packedStill(server, { clientId })]),
      )
      const [a, b] = await Promise.all([sendPack(first, packs[0]!), sendPack(second, packs[1]!)])
      expect([a![0]!.status, b![0]!.status]).toEqual(['stored', 'stored'])
      const clashed = [a![1]!, b![1]!]
      expect(clashed.map(({ status }) => status).toSorted()).toEqual(['refused', 'stored'])
      expect(clashed.find(({ status }) => status === 'refused')).toMatchObject({ error: { code: 'conflict' } })
      expect((await list(s)).total).toBe(3)
      expect(await trail.faults(s)).toEqual([])
    })

    it('takes nothing of either once it ended for both, but what was captured before', async () => {
      const { s, first, second } = await twoMachines()
      const before = await packedStill(server)
      server.clock.advance(1000)
      await first.agent.call('agent.sessions.end', { params: { id: s.id }, body: {} })
      server.clock.advance(1000)
      const items = await sendPack(second, [before, await packedStill(server)])
      expect(items.map(({ status }) => status)).toEqual(['stored', 'refused'])
      expect(await refusal(sendPack({ ...second, id: 'ses_of_nobody' }, [before]))).toMatchObject({ status: 404 })
    })
  })
