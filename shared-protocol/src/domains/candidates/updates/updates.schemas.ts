import * as z from 'zod'
import { instant } from '../../../core/primitives.ts'
import { versionPattern } from '../../../core/versions.ts'

/** What is updated by itself. */
export const updateApps = ['desktop_agent', 'companion'] as const
export const updateApp = z.enum(updateApps)
export type UpdateApp = z.output<typeof updateApp>

/** Who gets it first. */
export const updateChannels = ['stable', 'beta'] as const
export const updateChannel = z.enum(updateChannels)
export type UpdateChannel = z.output<typeof updateChannel>

/** Names as Node's `process.platform` and `process.arch` give them. */
export const buildPlatforms = ['linux', 'win32', 'darwin'] as const
export const buildArchs = ['x64', 'arm64', 'ia32', 'arm', 'universal'] as const

/** As many installable builds as are published. A reader takes more, and leaves out what it does not know. */
export const maxBuilds = 20

const version = z
  .string()
  .max(64)
  .regex(versionPattern, 'must be a version such as 1.4.0 or 2.0.0-beta.3')
  .meta({ description: 'Semantic Versioning 2.0.0, without build metadata' })

const machineName = z.string().regex(/^[a-z0-9_]{1,20}$/, 'must be a short name in lower case')

/** One installable file. `sha512` and `sizeBytes` are of the file behind `url`. */
export const updateBuild = z.object({
  version,
  platform: machineName.meta({
    description: `${buildPlatforms.join(', ')}; one that is added later is left out by readers`,
  }),
  arch: machineName.meta({ description: `${buildArchs.join(', ')}; likewise` }),
  url: z.url({ protocol: /^https?$/, error: 'must be an http(s) address' }).max(2000),
  sizeBytes: z.number().int().positive(),
  sha512: z.string().regex(/^[0-9a-f]{128}$/, 'must be 128 lower-case hexadecimal digits'),
  releasedAt: instant,
  notes: z.string().max(2000).optional(),
})
export type UpdateBuild = z.output<typeof updateBuild>

const sequence = z
  .number()
  .int()
  .positive()
  .meta({ description: 'grows from one document of its series to the next; an older one is a replay' })

/** What every signed document says of itself, inside the signed bytes. */
const signedHead = { sequence, issuedAt: instant, expiresAt: instant }

/**
 * The signed text of an update manifest, as JSON. It is authentic only with its signature, in force from `issuedAt` until
 * `expiresAt`, and older than another of the same app and channel when its `sequence` is smaller.
 */
export const updateManifestDocument = z.object({
  kind: z.literal('update_manifest'),
  app: updateApp,
  channel: updateChannel,
  ...signedHead,
  minimumVersion: version.meta({ description: 'the oldest version that the operator still supports' }),
  latest: z.object({ version }),
  builds: z.array(updateBuild).max(200).meta({ description: 'recent installable builds, newest first' }),
})
export type UpdateManifestDocument = z.output<typeof updateManifestDocument>

/** A public key as certificates carry it: SHA-256 of the SubjectPublicKeyInfo, base64 (RFC 7469, section 2.4). */
export const spkiSha256 = z.string().regex(/^[A-Za-z0-9+/]{43}=$/, 'must be the base64 of 32 bytes')

/** The signed text of the security policy, as JSON: whether certificate pinning stays enforced, and the pins. */
export const securityPolicyDocument = z.object({
  kind: z.literal('security_policy'),
  ...signedHead,
  pinning: z.object({
    enforced: z.boolean().meta({ description: 'false lifts pinning for every host' }),
    pins: z
      .array(
        z.object({
          host: z
            .string()
            .max(253)
            .regex(/^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/, 'must be a host name in lower case, without a port'),
          spkiSha256: z.array(spkiSha256).min(1).max(20),
        }),
      )
      .max(100),
  }),
  reason: z.string().max(500).optional(),
})
export type SecurityPolicyDocument = z.output<typeof securityPolicyDocument>

export const signedDocumentContent = z.discriminatedUnion('kind', [updateManifestDocument, securityPolicyDocument])
export type SignedDocumentContent = z.output<typeof signedDocumentContent>

/**
 * A document with its signature. The UTF-8 bytes of `document`, exactly as they are, are what was signed; `signature` is the
 * text of a `.minisig` file, so that `minisign -V` accepts the two as files.
 */
export const signedDocument = z
  .object({
    document: z.string().meta({ description: 'JSON text; its exact UTF-8 bytes are signed' }),
    signature: z.string().meta({ description: 'the text of a .minisig file' }),
    keyId: z
      .string()
      .regex(/^[0-9A-F]{16}$/)
      .meta({ description: 'which key signed, as minisign shows it: 16 hexadecimal digits' }),
  })
  .meta({ id: 'SignedDocument' })
