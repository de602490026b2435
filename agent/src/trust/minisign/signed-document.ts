import { createHash } from 'node:crypto'
import {
  type SecurityPolicyDocument,
  securityPolicyDocument,
  type UpdateApp,
  type UpdateChannel,
  type UpdateManifestDocument,
  updateManifestDocument,
} from '@integrity/protocol'
import type { Clock } from '../../shared/clock.ts'
import { MinisignError, type MinisignPublicKey, parsePublicKey, parseSignature, verifyMinisign } from './minisign.ts'
import type { NewestSeen } from './newest-seen.ts'
import { releaseKeys } from './release-keys.ts'

/** What the service hands out: the exact text that was signed, and the text of its `.minisig`. */
export interface SignedText {
  readonly document: string
  readonly signature: string
}

/** Which document is expected. */
export type Expected =
  | { readonly kind: 'update_manifest'; readonly app: UpdateApp; readonly channel: UpdateChannel }
  | { readonly kind: 'security_policy' }

interface Documents {
  readonly update_manifest: UpdateManifestDocument
  readonly security_policy: SecurityPolicyDocument
}

/** The document that is expected. */
export type DocumentOf<E extends Expected> = Documents[E['kind']]

type AnyDocument = Documents[Expected['kind']]

/**
 * `unsigned` there is no signature to speak of; `unknown_key`; `tampered`; `malformed` signed, but not of the agreed
 * shape; `not_the_one` another kind, app or channel; `expired`; `from_the_future` issued more than a day ahead of this
 * computer's clock; `replayed` older than one seen before, or another under the same number.
 */
export type RefusalReason =
  | 'unsigned'
  | 'unknown_key'
  | 'tampered'
  | 'malformed'
  | 'not_the_one'
  | 'expired'
  | 'from_the_future'
  | 'replayed'

export interface Refusal {
  readonly reason: RefusalReason
  /** A sentence for people. */
  readonly message: string
}

export type Opened<T> =
  | { readonly ok: true; readonly document: T; readonly keyId: string }
  | { readonly ok: false; readonly refusal: Refusal }

export interface OpenOptions {
  readonly clock: Clock
  readonly seen: NewestSeen
  /** Parsed; those built in unless told. */
  readonly keys?: readonly MinisignPublicKey[]
}

const maxDocumentBytes = 1024 * 1024
/** Clocks are wrong by time zones more often than by days. */
const clockToleranceMs = 24 * 60 * 60 * 1000

const schemas = { update_manifest: updateManifestDocument, security_policy: securityPolicyDocument } as const
const names = { update_manifest: 'update manifest', security_policy: 'security policy' } as const

/** Thrown and caught inside this file. */
class Refused extends Error {
  readonly reason: RefusalReason
  constructor(reason: RefusalReason, message: string) {
    super(message)
    this.reason = reason
  }
}

/** The release keys of this build, parsed. */
export const builtInKeys = (): readonly MinisignPublicKey[] => releaseKeys.map(parsePublicKey)

const checkSignature = (
  { document, signature }: SignedText,
  keys: readonly MinisignPublicKey[],
  name: string,
): MinisignPublicKey => {
  // Before anything is computed over it.
  if (Buffer.byteLength(document) > maxDocumentBytes) throw new Refused('malformed', `The ${name} is too large.`)
  try {
    return verifyMinisign(Buffer.from(document), parseSignature(signature), keys)
  } catch (error) {
    if (!(error instanceof MinisignError)) throw error
    if (error.fault === 'malformed') throw new Refused('unsigned', `The ${name} is not signed: ${error.message}.`)
    if (error.fault === 'unknown_key')
      throw new Refused('unknown_key', `The ${name} is signed by a key that this program does not know.`)
    throw new Refused('tampered', `The ${name} is not what was signed.`)
  }
}

const parseDocument = <K extends Expected['kind']>(text: string, kind: K): Documents[K] => {
  const name = names[kind]
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    throw new Refused('malformed', `The ${name} is not JSON.`)
  }
  const said = (json as { kind?: unknown } | null)?.kind
  if (said !== kind)
    throw new Refused('not_the_one', `A ${name} was expected; this says it is ${JSON.stringify(said)}.`)
  const parsed = schemas[kind].safeParse(json)
  if (!parsed.success) {
    const path = parsed.error.issues[0]?.path.join('.') ?? ''
    throw new Refused('malformed', `The ${name} is not of the agreed shape (at ${path}).`)
  }
  return parsed.data as Documents[K]
}

const checkPlace = (document: AnyDocument, expected: Expected): string => {
  if (expected.kind !== 'update_manifest' || document.kind !== 'update_manifest') return expected.kind
  const { app, channel } = expected
  if (document.app !== app || document.channel !== channel) {
    const found = `${document.app} (${document.channel})`
    throw new Refused('not_the_one', `The update manifest is for ${found}, not for ${app} (${channel}).`)
  }
  return `${expected.kind}/${app}/${channel}`
}

const checkTimes = ({ issuedAt, expiresAt }: AnyDocument, now: number, name: string): void => {
  const clock = `this computer's clock says ${new Date(now).toISOString()}`
  if (Date.parse(issuedAt) > now + clockToleranceMs) {
    const message = `The ${name} was issued on ${issuedAt}, but ${clock}. Please check the date and time of this computer.`
    throw new Refused('from_the_future', message)
  }
  if (Date.parse(expiresAt) <= now) {
    const message = `The ${name} expired on ${expiresAt}; ${clock}. If that is wrong, please set it right.`
    throw new Refused('expired', message)
  }
}

const checkSequence = async (
  stream: string,
  { sequence }: AnyDocument,
  text: string,
  seen: NewestSeen,
): Promise<void> => {
  const sha256 = createHash('sha256').update(text).digest('hex')
  const newest = await seen.get(stream)
  if (newest && sequence < newest.sequence) {
    const message = `The service gave an older document (number ${sequence}) than one seen before (number ${newest.sequence}).`
    throw new Refused('replayed', message)
  }
  if (newest && sequence === newest.sequence && sha256 !== newest.sha256) {
    throw new Refused(
      'replayed',
      `The service gave another document under the number ${sequence}, which was seen before.`,
    )
  }
  if (newest?.sequence !== sequence) await seen.set(stream, { sequence, sha256 })
}

const openAs = async <T>(open: () => Promise<Opened<T>>): Promise<Opened<T>> => {
  try {
    return await open()
  } catch (error) {
    if (error instanceof Refused) return { ok: false, refusal: { reason: error.reason, message: error.message } }
    throw error
  }
}

const readSigned = <E extends Expected>(signed: SignedText, expected: E, keys = builtInKeys()) => {
  const kind: E['kind'] = expected.kind
  const { keyId } = checkSignature(signed, keys, names[kind])
  const document: DocumentOf<E> = parseDocument(signed.document, kind)
  return { document, keyId, stream: checkPlace(document, expected) }
}

/**
 * Opens a signed document: signature, shape, kind, dates, then that it is no older than the newest seen (which it then
 * becomes, durably). Gives the document or why it is refused; throws only when the disk fails.
 */
export const openSignedDocument = <E extends Expected>(
  signed: SignedText,
  expected: E,
  { clock, seen, keys }: OpenOptions,
): Promise<Opened<DocumentOf<E>>> =>
  openAs(async () => {
    const { document, keyId, stream } = readSigned(signed, expected, keys)
    checkTimes(document, clock.wallMs(), names[expected.kind])
    await checkSequence(stream, document, signed.document, seen)
    return { ok: true, document, keyId }
  })

/** Opens a document that was accepted before and kept since: its signature and shape, neither its dates nor its number. */
export const reopenSignedDocument = <E extends Expected>(
  signed: SignedText,
  expected: E,
  keys?: readonly MinisignPublicKey[],
): Promise<Opened<DocumentOf<E>>> =>
  openAs(async () => {
    const { document, keyId } = readSigned(signed, expected, keys)
    return { ok: true, document, keyId }
  })
