import {
  invalid,
  type SecurityPolicyDocument,
  ServiceError,
  type SignedDocumentContent,
  signedDocumentContent,
  type UpdateApp,
  type UpdateChannel,
  type UpdateManifestDocument,
} from '@integrity/protocol'
import type { Needs } from '../../../kernel/call.ts'
import { MinisignError, parsePublicKey } from '../../../platform/minisign/public-key.ts'
import { isSignedBy, parseSignature } from '../../../platform/minisign/signature.ts'
import { inWords, misfitsOf } from '../../../platform/schema-words.ts'
import {
  findNewestOfOperator,
  insertForOperator,
  listNewestOfOperator,
  type Series,
  type SignedDocumentRow,
} from './signed-documents.store.ts'
import { admitDocument } from './updates.policy.ts'

export const manifestSeries = (app: UpdateApp, channel: UpdateChannel): Series => `update_manifest:${app}:${channel}`
export const policySeries: Series = 'security_policy'

const seriesOf = (content: SignedDocumentContent): Series =>
  content.kind === 'update_manifest' ? manifestSeries(content.app, content.channel) : policySeries

/** Whoever reads checks for themselves, so an expired document is given out too: it says of itself that it is. */
const readSigned = async (call: Needs<'reader'>, series: Series, what: string) => {
  const row = await findNewestOfOperator(call.reader, series)
  if (!row) throw new ServiceError('not_found', `${what} was published on this server`)
  const { document, signature, keyId } = row
  return { document, signature, keyId }
}

export const readManifest = (
  call: Needs<'reader'>,
  { app, channel }: { readonly app: UpdateApp; readonly channel: UpdateChannel },
) => readSigned(call, manifestSeries(app, channel), `no update manifest of ${app}, channel ${channel},`)

export const readSecurityPolicy = (call: Needs<'reader'>) => readSigned(call, policySeries, 'no security policy')

const parseContent = (text: string): SignedDocumentContent => {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new ServiceError('invalid_request', 'the document is not JSON')
  }
  const parsed = signedDocumentContent.safeParse(value, inWords)
  if (parsed.success) return parsed.data
  const details = misfitsOf(parsed.error.issues).map(({ path, message }) => ({ path: path.join('.'), message }))
  const words = details.map(({ path, message }) => `${path}: ${message}`).join('; ')
  throw new ServiceError('invalid_request', `the document is not valid: ${words}`, { details })
}

const trustedKeyOf = (call: Needs<'config'>, text: string, signatureText: string): string => {
  const keys = call.config.releasePublicKeys.map(parsePublicKey)
  if (keys.length === 0)
    throw new ServiceError(
      'conflict',
      'no key is trusted yet: set RELEASE_PUBLIC_KEYS to the public key (the second line of its .pub file)',
    )
  try {
    const signature = parseSignature(signatureText)
    const key = keys.find(({ keyId }) => keyId === signature.keyId)
    if (!key)
      throw new ServiceError(
        'forbidden',
        `signed by the key ${signature.keyId}, which is not among RELEASE_PUBLIC_KEYS (${keys.map(({ keyId }) => keyId).join(', ')})`,
      )
    if (isSignedBy(Buffer.from(text, 'utf8'), signature, key)) return key.keyId
  } catch (error) {
    if (error instanceof MinisignError) throw new ServiceError('invalid_request', error.message, { cause: error })
    throw error
  }
  throw new ServiceError('forbidden', 'the signature belongs to another document')
}

interface PublishSignedInput {
  readonly kind: SignedDocumentContent['kind']
  readonly signed: { readonly document: string; readonly signature: string }
}

/**
 * Puts a signed document in force: the operator's act, in no organisation. The signature must be by a trusted key, the
 * sequence larger than any before. Answers the row; throws in words.
 */
export const publishSigned = async (
  call: Needs<'clock' | 'config' | 'db' | 'log'>,
  { kind, signed: { document, signature } }: PublishSignedInput,
): Promise<SignedDocumentRow> => {
  const keyId = trustedKeyOf(call, document, signature)
  const content = parseContent(document)
  if (content.kind !== kind) throw invalid('kind', `is ${content.kind}, not ${kind}`)
  const publishedAt = call.clock.now()
  admitDocument(content, publishedAt)
  const row: SignedDocumentRow = {
    series: seriesOf(content),
    sequence: content.sequence,
    document,
    signature,
    keyId,
    issuedAt: Date.parse(content.issuedAt),
    expiresAt: Date.parse(content.expiresAt),
    publishedAt,
  }
  if (!(await call.db.transact((tx) => insertForOperator(tx, row))))
    throw new ServiceError(
      'conflict',
      `${row.series}: the sequence ${row.sequence} is not larger than the one in force; make the document anew`,
    )
  call.log.info({ series: row.series, sequence: row.sequence, keyId }, 'a signed document was published')
  return row
}

/** What is in force, with its content. */
export interface Published<T extends SignedDocumentContent = SignedDocumentContent> {
  readonly row: SignedDocumentRow
  readonly content: T
}

const published = <T extends SignedDocumentContent>(row: SignedDocumentRow): Published<T> => ({
  row,
  content: parseContent(row.document) as T,
})

export const manifestInForce = async (
  call: Needs<'reader'>,
  { app, channel }: { readonly app: UpdateApp; readonly channel: UpdateChannel },
) => {
  const row = await findNewestOfOperator(call.reader, manifestSeries(app, channel))
  return row && published<UpdateManifestDocument>(row)
}

export const policyInForce = async (call: Needs<'reader'>) => {
  const row = await findNewestOfOperator(call.reader, policySeries)
  return row && published<SecurityPolicyDocument>(row)
}

/** Every series with what is in force of it. */
export const listPublished = async (call: Needs<'reader'>): Promise<Published[]> =>
  (await listNewestOfOperator(call.reader)).map((row) => published(row))

/** Seconds until the first document in force expires, negative once it has; null while there is none. */
export const nextExpirySeconds = async (call: Needs<'reader'>, now: number): Promise<number | null> => {
  const rows = await listNewestOfOperator(call.reader)
  return rows.length === 0 ? null : (Math.min(...rows.map(({ expiresAt }) => expiresAt)) - now) / 1000
}
