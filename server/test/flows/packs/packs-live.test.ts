import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { buildCaptureSession, type CaptureSession } from '../../test-support/capture-session.ts'
import { everyEngine } from '../../test-support/engines.ts'
import { openLive } from '../../test-support/live-client.ts'
import { packedSound, packedStill, sendPack } from '../../test-support/packs.ts'
import { portalCookie } from '../../test-support/portal.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'
import { fieldOf, type OpenStream, openStream } from '../../test-support/sse-client.ts'
import { asMember } from '../candidate-requests/candidate-requests.test-support.ts'
import { reelsOf } from '../reels/reels.test-support.ts'

interface Ready {
  readonly data: { readonly session: { readonly id: string }; readonly items: readonly { readonly id: string }[] }
}

for (const engine of everyEngine())
  describe(`a pack on its way to who looks on (${engine})`, () => {
    let server: TestServer
    const streams: OpenStream[] = []
    beforeAll(async () => {
      server = await startServer({ engine })
    })
    afterEach(async () => {
      for (const stream of streams) stream.close()
      await Promise.all(streams.splice(0).map((stream) => stream.ended))
    })
    afterAll(() => server.stop())
    const reels = reelsOf(() => server)
    const look = async ({ id }: CaptureSession) =>
      (
        await server
          .client()
          .call('sessions.live', { params: { id }, query: {}, headers: await portalCookie(server, 'owner') })
      ).data

    const open = async (path: string, headers: Readonly<Record<string, string>>): Promise<OpenStream> => {
      const stream = await openStream(`${server.url}${path}`, headers)
      streams.push(stream)
      return stream
    }
    const ofMember = async () =>
      open(`/v1/orgs/${server.orgs[0].orgId}/events/stream?environment=sandbox`, await portalCookie(server, 'owner'))
    const ofKey = ({ id }: CaptureSession) => {
      const query = new URLSearchParams({ types: 'evidence.ready', sessionId: id }).toString()
      return open(`/v1/api/events/stream?${query}`, { authorization: `Bearer ${server.orgs[0].sandboxKey}` })
    }
    /** The items of the packs of one session that a stream has told of, once there are so many packs. */
    const told = async (stream: OpenStream, { id }: CaptureSession, packs: number): Promise<string[][]> => {
      for (let count = packs; ; count += 1) {
        const blocks = await stream.seen(count)
        const ready = blocks
          .filter((block) => fieldOf(block, 'event') === 'evidence.ready')
          .map((block) => (JSON.parse(fieldOf(block, 'data')!) as Ready).data)
          .filter(({ session }) => session.id === id)
        if (ready.length >= packs) return ready.map(({ items }) => items.map((item) => item.id))
      }
    }

    it('is in every stream with all of its items once it is acknowledged: nobody waits for the next look', async () => {
      // The server's clock stands still, and with it whatever would look again after a while: only what the commit wakes comes.
      const before = server.clock.now()
      const s = await buildCaptureSession(server)
      const [member, key] = [await ofMember(), await ofKey(s)]
      const sentIds: string[][] = []
      for (let sequence = 0; sequence < 3; sequence += 1) {
        const items = await sendPack(s, [await packedStill(server), packedSound(server, { sequence })])
        sentIds.push(items.map(({ evidence }) => evidence!.id))
        for (const stream of [member, key]) expect(await told(stream, s, sequence + 1)).toEqual(sentIds)
      }
      expect(server.clock.now()).toBe(before)
    })

    it('is in the view of its session, on the wall and in a reel as soon as its answer is there', async () => {
      const s = await buildCaptureSession(server)
      for (let n = 0; n < 2; n += 1) {
        const [still] = await sendPack(s, [await packedStill(server)])
        const latestFrame = { evidenceId: still!.evidence!.id }
        expect(await look(s)).toMatchObject({ latestFrame })
        const wall = await asMember(server, 'portal.live.list', { params: { orgId: s.orgId }, query: {} })
        expect(wall.items.find(({ session }) => session.id === s.id)).toMatchObject({ latestFrame })
        const reel = await reels.ofKey(s, 'screen:d1', { from: 0, size: 'full' })
        expect(reel.frames.at(-1)!.head.id).toBe(latestFrame.evidenceId)
        server.clock.advance(1000)
      }
    })

    it('was asked for at once: the agent is told so by the first look, not at its next round', async () => {
      const s = await buildCaptureSession(server)
      const client = await openLive(server.url, s.id, { token: s.token })
      await client.seen(1)
      await look(s)
      const told = (await client.seen(2))[1]
      expect(told).toEqual({ type: 'watched', seconds: expect.any(Number) })
      client.socket.close()
      await client.closed
    })
  })
