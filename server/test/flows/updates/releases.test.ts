import { ServiceError, securityPolicyDocument, updateManifestDocument } from '@integrity/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { publishSigned } from '../../../src/domains/candidates/updates/updates.service.ts'
import { parsePublicKey } from '../../../src/platform/minisign/public-key.ts'
import { isSignedBy, parseSignature, signMessage } from '../../../src/platform/minisign/signature.ts'
import { everyEngine } from '../../test-support/engines.ts'
import { refusalOf } from '../../test-support/refusal.ts'
import { aBuild, aManifest, aPolicy, newReleaseKey, signed } from '../../test-support/releases.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'

const day = 86_400_000
const [key, next, stranger] = [newReleaseKey(), newReleaseKey(), newReleaseKey()]

for (const engine of everyEngine())
  describe(`signed documents (${engine})`, () => {
    let server: TestServer
    let sequence = 0

    beforeAll(async () => {
      const releasePublicKeys = `${key.publicText},${next.publicText}`
      server = await startServer({ engine, env: { RELEASE_PUBLIC_KEYS: releasePublicKeys } })
    })
    afterAll(() => server.stop())

    const manifest = (fields: Parameters<typeof aManifest>[1] = {}) => {
      sequence += 1
      return aManifest(server, { sequence, ...fields })
    }
    const publish = (content: ReturnType<typeof aManifest>, by = key) =>
      publishSigned(server.app, { kind: content.kind, signed: signed(content, by) })
    const publishPolicy = (content: ReturnType<typeof aPolicy>, by = key) =>
      publishSigned(server.app, { kind: content.kind, signed: signed(content, by) })
    const read = async (query: { app: 'desktop_agent' | 'companion'; channel?: 'stable' | 'beta' }) =>
      (await server.client().call('updates.manifest', { query })).data
    const inForce = async () =>
      updateManifestDocument.parse(JSON.parse((await read({ app: 'desktop_agent' })).document))
    const refusedWith = async (work: Promise<unknown>): Promise<ServiceError> => {
      const error: unknown = await work.then(
        () => undefined,
        (thrown: unknown) => thrown,
      )
      if (error instanceof ServiceError) return error
      throw new Error('it was not refused', { cause: error })
    }

    describe('updates.manifest', () => {
      it('is not found, in words, while nothing was published for that app and channel', async () => {
        const refusal = await refusalOf(read({ app: 'companion', channel: 'beta' }))
        expect(refusal).toMatchObject({ status: 404, code: 'not_found' })
        expect(refusal.message).toBe('no update manifest of companion, channel beta, was published on this server')
      })

      it('answers the exact text that was signed, its signature, and which key made it', async () => {
        const content = manifest()
        const given = signed(content, key)
        await publishSigned(server.app, { kind: 'update_manifest', signed: given })
        const data = await read({ app: 'desktop_agent' })
        expect(data).toEqual({ ...given, keyId: key.keyId })
        const bytes = Buffer.from(data.document, 'utf8')
        expect(isSignedBy(bytes, parseSignature(data.signature), parsePublicKey(key.publicText))).toBe(true)
        expect(await inForce()).toEqual(content)
      })

      it('keeps apps and channels apart, and takes stable where none is named', async () => {
        await publish(manifest({ channel: 'beta', latest: { version: '2.0.0' }, builds: [aBuild(server, '2.0.0')] }))
        await publish(manifest({ app: 'companion' }))
        expect((await inForce()).latest.version).toBe('1.2.3')
        const beta = JSON.parse((await read({ app: 'desktop_agent', channel: 'beta' })).document) as { latest: object }
        expect(beta.latest).toEqual({ version: '2.0.0' })
        const phone = JSON.parse((await read({ app: 'companion' })).document) as { app: string }
        expect(phone.app).toBe('companion')
      })

      it('refuses an app or a channel out of nowhere, and asks for the app', async () => {
        for (const [query, path] of [
          [{}, 'app'],
          [{ app: 'desktop' }, 'app'],
          [{ app: 'companion', channel: 'nightly' }, 'channel'],
        ] as const) {
          const refusal = await refusalOf(server.client().call('updates.manifest', { query: query as never }))
          expect(refusal.details.map((detail) => detail.path)).toEqual([path])
        }
      })

      it('goes on with the newest of several keys in turn: a key is rotated', async () => {
        await publish(manifest(), next)
        expect((await read({ app: 'desktop_agent' })).keyId).toBe(next.keyId)
        await publish(manifest(), key)
        expect((await read({ app: 'desktop_agent' })).keyId).toBe(key.keyId)
      })

      it('refuses a stranger, a changed text, a signature of something else, and what is none', async () => {
        const before = await inForce()
        const other = await refusedWith(publish(manifest(), stranger))
        expect(other).toMatchObject({ code: 'forbidden' })
        expect(other.message).toContain(`signed by the key ${stranger.keyId}, which is not among RELEASE_PUBLIC_KEYS`)
        const good = signed(manifest(), key)
        for (const changed of [
          { ...good, document: good.document.replace('1.2.3', '1.2.4') },
          { ...good, document: `${good.document} ` },
          { ...good, signature: signed(manifest(), key).signature },
          { ...good, signature: signed(manifest(), { ...stranger, keyIdBytes: key.keyIdBytes }).signature },
        ])
          expect(
            (await refusedWith(publishSigned(server.app, { kind: 'update_manifest', signed: changed }))).code,
          ).toBe('forbidden')
        const none = await refusedWith(
          publishSigned(server.app, { kind: 'update_manifest', signed: { ...good, signature: 'signed' } }),
        )
        expect(none.message).toBe('this is not the text of a .minisig file')
        expect(await inForce()).toEqual(before)
      })

      it('refuses a sequence that is not larger than any before, and one of many at once stays in force', async () => {
        const { sequence: last } = await inForce()
        for (const replayed of [last, last - 1]) {
          const refusal = await refusedWith(publish(manifest({ sequence: replayed })))
          expect(refusal.code).toBe('conflict')
          expect(refusal.message).toContain('is not larger than the one in force')
        }
        sequence += 1
        const racing = await Promise.allSettled(
          ['1.3.0', '1.3.1', '1.3.2'].map((version) =>
            publish(aManifest(server, { sequence, latest: { version }, builds: [aBuild(server, version)] })),
          ),
        )
        expect(racing.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
        expect((await inForce()).sequence).toBe(sequence)
      })

      it('refuses what has expired or lies in the future, and gives out what expires later as it is', async () => {
        const at = (ms: number) => new Date(server.clock.now() + ms).toISOString()
        for (const [fields, words] of [
          [{ issuedAt: at(-2 * day), expiresAt: at(0) }, 'expired on'],
          [{ issuedAt: at(day), expiresAt: at(2 * day) }, 'lies in the future'],
          [{ issuedAt: at(0), expiresAt: at(0) }, 'must be after issuedAt'],
        ] as const)
          expect((await refusedWith(publish(manifest(fields)))).message).toContain(words)
        await publish(manifest({ expiresAt: at(day) }))
        const before = await read({ app: 'desktop_agent' })
        server.clock.advance(2 * day)
        expect(await read({ app: 'desktop_agent' })).toEqual(before)
        expect((await server.app.metrics.render()).text).toMatch(/signed_documents_expire_seconds -\d+/)
      })

      it('refuses a manifest that would leave agents without a way to a supported version', async () => {
        const build = aBuild(server)
        for (const [fields, path] of [
          [{ minimumVersion: '1.2.4' }, 'minimumVersion'],
          [{ latest: { version: '1.2.4' } }, 'latest.version'],
          [{ builds: [] }, 'latest.version'],
          [{ builds: [build, build] }, 'builds.1'],
          [{ builds: [build, aBuild(server, '1.10.0')] }, 'builds.1'],
          [{ builds: [{ ...build, url: 'http://downloads.example.org/x' }] }, 'builds.0.url'],
          [{ builds: [{ ...build, sha512: 'AB'.repeat(64) }] }, 'builds.0.sha512'],
          [{ builds: [{ ...build, platform: 'beos' as never }] }, 'builds.0.platform'],
          [{ minimumVersion: 'v1' }, 'minimumVersion'],
        ] as const) {
          const refusal = await refusedWith(publish(manifest(fields as object)))
          expect(
            refusal.details.map((detail) => detail.path),
            JSON.stringify(fields),
          ).toEqual([path])
        }
        await publish(manifest({ builds: [{ ...build, url: 'http://127.0.0.1:9/x' }] }))
      })

      it('refuses a document of the other kind, and a text that is none', async () => {
        const policy = signed(aPolicy(server, { sequence: 100 }), key)
        const other = await refusedWith(publishSigned(server.app, { kind: 'update_manifest', signed: policy }))
        expect(other.details).toMatchObject([{ path: 'kind' }])
        for (const document of ['{', '[]', '{"kind":"update_manifest"}']) {
          const signature = signMessage(Buffer.from(document), key, { timestamp: 1, fileName: 'x' })
          const refusal = await refusedWith(
            publishSigned(server.app, { kind: 'update_manifest', signed: { document, signature } }),
          )
          expect(refusal.code, document).toBe('invalid_request')
        }
      })
    })

    describe('updates.securityPolicy', () => {
      const policy = async () =>
        securityPolicyDocument.parse(JSON.parse((await server.client().call('updates.securityPolicy')).data.document))

      it('is not found while none was published, then enforces, and lifts pinning by a later one', async () => {
        const refusal = await refusalOf(server.client().call('updates.securityPolicy'))
        expect(refusal).toMatchObject({ status: 404, message: 'no security policy was published on this server' })
        await publishPolicy(aPolicy(server, { sequence: 1 }))
        expect((await policy()).pinning).toMatchObject({ enforced: true, pins: [{ host: 'service.example.org' }] })
        const lifted = { sequence: 2, pinning: { enforced: false, pins: [] }, reason: 'the certificate was renewed' }
        await publishPolicy(aPolicy(server, lifted))
        expect(await policy()).toMatchObject(lifted)
        const old = await refusedWith(publishPolicy(aPolicy(server, { sequence: 1 })))
        expect(old.code).toBe('conflict')
      })

      it('refuses pinning without a pin, a pin that is none, and a host twice', async () => {
        const pin = `${'A'.repeat(43)}=`
        for (const [pins, path] of [
          [[], 'pinning.pins'],
          [[{ host: 'a.example', spkiSha256: ['short'] }], 'pinning.pins.0.spkiSha256.0'],
          [[{ host: 'A.example:443', spkiSha256: [pin] }], 'pinning.pins.0.host'],
          [
            [
              { host: 'a.example', spkiSha256: [pin] },
              { host: 'a.example', spkiSha256: [pin] },
            ],
            'pinning.pins',
          ],
        ] as const) {
          const pinning = { enforced: true, pins: pins as never }
          const refusal = await refusedWith(publishPolicy(aPolicy(server, { sequence: 9, pinning })))
          expect(refusal.details.map((detail) => detail.path)).toEqual([path])
        }
      })
    })

    it('is refused, naming the setting, where no key is trusted', async () => {
      const untrusting = { ...server.app, config: { ...server.app.config, releasePublicKeys: [] } }
      const refusal = await refusedWith(
        publishSigned(untrusting, { kind: 'update_manifest', signed: signed(manifest(), key) }),
      )
      expect(refusal.message).toContain('set RELEASE_PUBLIC_KEYS')
    })
  })
