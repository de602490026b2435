import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { captureChainOf } from '../../../src/domains/recording/evidence/evidence.chain.service.ts'
import { verifyEvidence } from '../../../src/domains/recording/evidence/verify.service.ts'
import type { Engine } from '../../../src/platform/db/dialect.ts'
import {
  auditOf,
  buildCaptureSession,
  type CaptureSession,
  iso,
  newClientId,
  picture,
  refusal,
  sha256,
} from '../../test-support/capture-session.ts'
import { captureSigner } from '../../test-support/capture-signer.ts'
import { enginesInTurn } from '../../test-support/engines.ts'
import { portalCookie } from '../../test-support/portal.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'
import { scopeOf } from './evidence.test-support.ts'

type Signer = ReturnType<typeof captureSigner>

const flows = (engine: Engine) => {
  let server: TestServer
  beforeAll(async () => {
    server = await startServer({ engine })
  })
  afterAll(() => server.stop())

  const registerKey = async (s: CaptureSession, signer: Signer, documentHash?: string) => {
    const { data } = await s.agent.call('agent.sessions.config', { params: { id: s.id } })
    const { version, hash, lanes } = data.consentDocument
    const answers = Object.fromEntries(lanes.map(({ lane }) => [lane, true]))
    const acceptedAt = iso(server.clock.now())
    const consent = { version, locale: 'en', documentHash: hash, acceptedAt, lanes: answers }
    const captureKey = signer.registration(documentHash ?? hash)
    return s.agent.call('agent.sessions.register', { body: { consent, captureKey } })
  }
  const signedSession = async () => {
    const s = await buildCaptureSession(server, { registered: false, config: { audio: { systemAudio: true } } })
    const signer = captureSigner(s.id)
    await registerKey(s, signer)
    return { s, signer }
  }
  /** A still as its signer means it; sent by the second call, in whatever order. */
  const still = async (s: CaptureSession, signer?: Signer) => {
    const bytes = await picture()
    const said = { sha256: sha256(bytes), capturedAt: iso(server.clock.now()) }
    const captureSignature = signer?.item({ ...said, evidenceType: 'screenshot' })
    const body = { clientId: newClientId(), contentType: 'image/webp', ...said, captureSignature }
    return async (changed: object = {}) => {
      const data = bytes.toString('base64')
      const sent = { ...body, ...changed, data }
      return (await s.agent.call('agent.screenshots.upload', { params: { id: s.id }, body: sent })).data
    }
  }
  /** A chunk of sound that goes through a chunked upload. */
  const sound = async (s: CaptureSession, signer: Signer) => {
    const bytes = Buffer.from(`OggS ${newClientId()}`)
    const said = { sha256: sha256(bytes), capturedAt: iso(server.clock.now()), durationMs: 5000 }
    const evidenceType = 'system_audio_chunk' as const
    const body = { ...said, evidenceType, clientId: newClientId(), sizeBytes: bytes.length, contentType: 'audio/ogg' }
    const captureSignature = signer.item({ ...said, evidenceType })
    const begun = { ...body, codec: 'opus', captureSignature }
    const { data } = await s.agent.call('agent.uploads.begin', { params: { id: s.id }, body: begun })
    if (!('uploadId' in data)) throw new Error('these bytes are here already')
    const params = { uploadId: data.uploadId }
    const part = { index: 0, sha256: said.sha256, data: bytes.toString('base64') }
    await s.agent.call('agent.uploads.part', { params, body: part })
    return (await s.agent.call('agent.uploads.complete', { params })).data
  }
  /** The same in numbers, beside the lanes. */
  const summaryOf = async ({ id }: CaptureSession) => {
    const headers = await portalCookie(server, 'reviewer')
    return (await server.client().call('portal.coverage', { params: { id }, headers })).data.captureChain
  }
  const chainOf = async (s: CaptureSession) =>
    (await s.api.call('sessions.captureChain.get', { params: { id: s.id } })).data

  it('shows a chain that arrived in any order as whole, beside what was not signed', async () => {
    const { s, signer } = await signedSession()
    const [first, second] = [await still(s, signer), await still(s, signer)]
    const third = await sound(s, signer)
    const stored = await second()
    await first()
    await (await still(s))()
    expect(stored.captureSignature).toMatchObject({ key: signer.key, sequence: 2, verified: true })
    expect(third.captureSignature).toMatchObject({ sequence: 3, verified: true })
    await s.agent.call('agent.sessions.end', { params: { id: s.id }, body: { captureEnd: signer.end() } })
    const whole = { items: 3, gaps: [], missingItems: 0, breaks: [], brokenPlaces: 0, repeated: [], repeatedItems: 0 }
    const chain = await chainOf(s)
    expect(chain).toMatchObject({
      chains: [{ ...whole, key: signer.key, end: { items: 3 } }],
      signedItems: 3,
      notVerifiedItems: 0,
      notSigned: [{ evidenceType: 'screenshot', items: 1 }],
    })
    expect(await auditOf(server, s)).toContainEqual(
      expect.objectContaining({
        action: 'session.registered',
        payload: expect.objectContaining({ captureKey: signer.key }),
      }),
    )
    // What is erased is still in its place.
    await s.api.call('sessions.erase', { params: { id: s.id } })
    expect((await chainOf(s)).chains).toEqual(chain.chains)
  })

  it('shows what did not arrive, what was replaced in the database, and a signature that does not fit', async () => {
    const { s, signer } = await signedSession()
    await (await still(s, signer))()
    await still(s, signer)
    const third = await (await still(s, signer))()
    await (await still(s, signer))()
    const wrong = await (await still(s, signer))({ capturedAt: iso(server.clock.now() - 1000) })
    expect(wrong.captureSignature).toMatchObject({ sequence: 5, verified: false })
    const foreign = await (await still(s, captureSigner(s.id)))()
    expect(foreign.captureSignature).toMatchObject({ sequence: 1, verified: false })
    await s.agent.call('agent.sessions.end', { params: { id: s.id }, body: { captureEnd: signer.end() } })
    const gaps = [
      { from: 2, to: 2 },
      { from: 5, to: 5 },
    ]
    const found = { signedItems: 3, notVerifiedItems: 2, notSigned: [] }
    const seen = { items: 3, gaps, missingItems: 2, breaks: [] }
    expect(await chainOf(s)).toMatchObject({ ...found, chains: [seen] })
    await server.app.db.transact((tx) =>
      tx.run('UPDATE evidence SET captured_at = captured_at - 1 WHERE evidence_id = ?', [third.id]),
    )
    expect(await chainOf(s)).toMatchObject({ ...found, chains: [{ ...seen, breaks: [4], brokenPlaces: 1 }] })
    const numbers = { keys: 1, signedItems: 3, notVerifiedItems: 2, notSignedItems: 0 }
    expect(await summaryOf(s)).toEqual({ ...numbers, missingItems: 2, brokenPlaces: 1, repeatedItems: 0 })
  })

  it('names a signature that was put or changed in the database', async () => {
    const { s, signer } = await signedSession()
    const [first, second] = [await (await still(s, signer))(), await (await still(s, signer))()]
    const third = await (await still(s, captureSigner(s.id)))()
    const run = (sql: string, id: string) => server.app.db.transact((tx) => tx.run(sql, [id]))
    const findings = async () => {
      const found: string[] = []
      await verifyEvidence(server.app, {
        orgId: s.orgId,
        report: ({ evidenceId, sessionId, fault }) => {
          if (sessionId === s.id) found.push(`${evidenceId} ${fault}`)
        },
      })
      return found
    }
    expect(await findings()).toEqual([])
    await run('UPDATE evidence SET signing_sequence = 3 WHERE evidence_id = ?', second.id)
    await run('UPDATE evidence SET signing_verified = 1 WHERE evidence_id = ?', third.id)
    const named = [second, third].map(({ id }) => `${id} signature_changed`)
    expect((await findings()).sort()).toEqual(named.sort())
    await run('UPDATE evidence SET signing_signature = NULL WHERE evidence_id = ?', first.id)
    expect(await findings()).toContain(`${first.id} signature_changed`)
  })

  it('keeps no key that its sender does not hold, and no end by another key', async () => {
    const { s, signer } = await signedSession()
    const other = captureSigner(s.id)
    const refused = { status: 400, code: 'invalid_request', path: 'captureKey.signature' }
    expect(await refusal(registerKey(s, other, 'f'.repeat(64)))).toEqual(refused)
    expect(await refusal(registerKey(s, captureSigner('ses_other')))).toEqual(refused)
    await registerKey(s, signer)
    const forged = { ...other.end(), key: signer.key }
    await s.agent.call('agent.sessions.end', { params: { id: s.id }, body: { captureEnd: forged } })
    expect((await chainOf(s)).chains).toMatchObject([{ key: signer.key, items: 0, end: null }])
  })

  it('shows an application that does not sign as just that', async () => {
    const s = await buildCaptureSession(server)
    expect((await (await still(s))()).captureSignature).toBeNull()
    const notSigned = [{ evidenceType: 'screenshot', items: 1 }]
    const call = { reader: server.app.db.reader, scope: scopeOf(s) }
    const shown = { sessionId: s.id, chains: [], signedItems: 0, notVerifiedItems: 0, notSigned }
    expect(await captureChainOf(call, s.id)).toEqual(shown)
    const nothing = { notVerifiedItems: 0, missingItems: 0, brokenPlaces: 0, repeatedItems: 0 }
    expect(await summaryOf(s)).toEqual({ ...nothing, keys: 0, signedItems: 0, notSignedItems: 1 })
  })

  // What the service decides by itself is asked on one of the two.
  if (engine === 'postgres') return

  it('takes no more than fifty keys for a session', async () => {
    const { s } = await signedSession()
    for (let made = 1; made < 50; made += 1) await registerKey(s, captureSigner(s.id))
    expect(await refusal(registerKey(s, captureSigner(s.id)))).toMatchObject({ status: 409 })
    expect((await chainOf(s)).chains).toHaveLength(50)
  })
}

for (const engine of enginesInTurn(import.meta.filename))
  describe(`evidence that the machine signs (${engine})`, () => flows(engine))
