import { generateKeyPairSync, randomBytes } from 'node:crypto'
import type { SecurityPolicyDocument, UpdateManifestDocument } from '@integrity/protocol'
import { insertForOperator } from '../../src/domains/candidates/updates/signed-documents.store.ts'
import { manifestSeries, policySeries } from '../../src/domains/candidates/updates/updates.service.ts'
import { keyIdText } from '../../src/platform/minisign/public-key.ts'
import type { MinisignSecretKey } from '../../src/platform/minisign/secret-key.ts'
import { signMessage } from '../../src/platform/minisign/signature.ts'
import type { TestServer } from './server.ts'

export interface ReleaseKey extends MinisignSecretKey {
  /** As it stands in RELEASE_PUBLIC_KEYS. */
  readonly publicText: string
}

export const newReleaseKey = (): ReleaseKey => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const keyIdBytes = randomBytes(8)
  const raw = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32)
  const publicText = Buffer.concat([Buffer.from('Ed'), keyIdBytes, raw]).toString('base64')
  return { keyId: keyIdText(keyIdBytes), keyIdBytes, key: privateKey, publicText }
}

const day = 86_400_000
const span = (server: TestServer) => ({
  issuedAt: new Date(server.clock.now()).toISOString(),
  expiresAt: new Date(server.clock.now() + 30 * day).toISOString(),
})

export const aBuild = (server: TestServer, version = '1.2.3', platform: 'linux' | 'win32' | 'darwin' = 'linux') => ({
  version,
  platform,
  arch: 'x64' as const,
  url: `https://downloads.example.org/agent-${version}-${platform}.bin`,
  sizeBytes: 98_400_000,
  sha512: 'ab'.repeat(64),
  releasedAt: new Date(server.clock.now()).toISOString(),
})

export const aManifest = (
  server: TestServer,
  fields: Partial<UpdateManifestDocument> = {},
): UpdateManifestDocument => ({
  kind: 'update_manifest',
  app: 'desktop_agent',
  channel: 'stable',
  sequence: 1,
  ...span(server),
  minimumVersion: '1.0.0',
  latest: { version: '1.2.3' },
  builds: [aBuild(server)],
  ...fields,
})

export const aPolicy = (server: TestServer, fields: Partial<SecurityPolicyDocument> = {}): SecurityPolicyDocument => ({
  kind: 'security_policy',
  sequence: 1,
  ...span(server),
  pinning: { enforced: true, pins: [{ host: 'service.example.org', spkiSha256: [`${'A'.repeat(43)}=`] }] },
  ...fields,
})

/** The exact text and its signature. */
export const signed = (content: UpdateManifestDocument | SecurityPolicyDocument, key: ReleaseKey) => {
  const document = JSON.stringify(content)
  const about = { timestamp: Math.floor(Date.parse(content.issuedAt) / 1000), fileName: `${content.kind}.json` }
  return { document, signature: signMessage(Buffer.from(document), key, about) }
}

const published = new WeakSet<TestServer>()

/** One manifest and one policy in force on this server, whatever keys it trusts. */
export const withPublished = async (server: TestServer): Promise<void> => {
  if (published.has(server)) return
  published.add(server)
  const key = newReleaseKey()
  const rows = [
    { series: manifestSeries('desktop_agent', 'stable'), content: aManifest(server) },
    { series: policySeries, content: aPolicy(server) },
  ]
  for (const { series, content } of rows) {
    const row = {
      series,
      sequence: content.sequence,
      ...signed(content, key),
      keyId: key.keyId,
      issuedAt: Date.parse(content.issuedAt),
      expiresAt: Date.parse(content.expiresAt),
      publishedAt: server.clock.now(),
    }
    await server.app.db.transact((tx) => insertForOperator(tx, row))
  }
}
