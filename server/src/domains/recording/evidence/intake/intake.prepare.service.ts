import { invalid } from '@integrity/protocol'
import type { By, Needs, Reads } from '../../../../kernel/call.ts'
import { checkMagic, checkPixels, isImage, type Picture } from '../../../../platform/content/content-check.ts'
import { hashBytes } from '../../../../platform/crypto/hash-bytes.ts'
import { checkMedia, wholeRecording } from '../../../../platform/media/media-check.ts'
import { sealWhole } from '../../../../platform/storage/sealed-object.ts'
import { recipientsOf } from '../../../organisation/recipients/recipients.service.ts'
import type { EvidenceRow, Item } from '../evidence.types.ts'
import { admitItem, admitNewBytes, findKnown } from './intake.admit.service.ts'
import { checkContentType, checkSize, lengthOf, type PreparedItem } from './intake.item.model.ts'

/**
 * Where a new object's bytes will lie, and who may open them. The key is `<orgId>/<objectId>`: its last segment is the id
 * of the `objects` row, so what a crash between store and row leaves behind can be told from the rest.
 */
export const newPlace = async (call: Reads & Needs<'newId'>) => ({
  key: `${call.scope.orgId}/${call.newId('obj')}`,
  recipients: await recipientsOf(call, call.scope.orgId),
})

interface Sent {
  readonly sessionId: string
  readonly said: Item
  readonly bytes: Buffer
}

/** Holds the bytes to what was said about them, as far as that costs no more than reading them. Throws `invalid_request`. */
export const checkBytes = async (said: Item, bytes: Buffer): Promise<void> => {
  checkContentType(said)
  checkSize(said.evidenceType, bytes.length)
  if ((await hashBytes(bytes)).toString('hex') !== said.sha256)
    throw invalid('sha256', 'is not the SHA-256 of the bytes that came')
  checkMagic(bytes, said.contentType)
}

interface Measured {
  readonly item: Item
  readonly decodable: boolean | null
}

/** What was found when the same bytes came before; which way they are turned was not kept. */
const knownPicture = (said: Item, twin: EvidenceRow | undefined): Picture | undefined => {
  if (twin?.contentType !== said.contentType) return undefined
  const { width, height } = JSON.parse(twin.metadata) as { width?: unknown; height?: unknown }
  return typeof width === 'number' && typeof height === 'number' ? { width, height, turned: true } : undefined
}

/**
 * Of a picture or a recording its container is read; nothing is decoded that it tells enough of, or that the session (`twin`)
 * holds already.
 */
export const measure = async (
  call: Needs<'pictures' | 'scope'>,
  { sessionId, said, bytes, twin }: Sent & { readonly twin: EvidenceRow | undefined },
): Promise<Measured> => {
  if (!isImage(said.contentType)) {
    const { durationMs, readable } = await checkMedia(wholeRecording(bytes), said.contentType)
    return { item: { ...said, durationMs: lengthOf(said, durationMs) }, decodable: readable ? null : false }
  }
  const known = knownPicture(said, twin)
  const { picture, decoded } = known
    ? { picture: known, decoded: twin?.decodable === 1 }
    : await call.pictures.look(call.scope, sessionId, bytes, said.contentType)
  checkPixels(said.metadata, picture)
  const { width, height } = picture
  return { item: { ...said, metadata: { ...said.metadata, width, height } }, decodable: decoded ? true : null }
}

/**
 * Before the transaction: consent, policy and time, then the bytes themselves, then the store. When it resolves the
 * sealed bytes are durable, or known to be here already.
 */
export const prepareItem = async (
  call: Reads & By & Needs<'clock' | 'log' | 'newId' | 'pictures' | 'sessionKeys' | 'store'>,
  { sessionId, said, bytes }: Sent,
): Promise<PreparedItem> => {
  const session = await admitItem(call, { sessionId, item: said })
  await checkBytes(said, bytes)
  const known = await findKnown(call, { sessionId, item: said })
  if (!known.bytes) await admitNewBytes(call, { session, sizeBytes: bytes.length })
  const { item, decodable } = await measure(call, { sessionId, said, bytes, twin: known.bytes })
  if (known.bytes) return { sessionId, item, stored: undefined, decodable }
  const place = await newPlace(call)
  const options = { ...place, store: call.store, size: bytes.length, expectedSha256: item.sha256 }
  const { header } = await sealWhole(once(bytes), options)
  const { key: storeKey } = place
  const prepared = { sessionId, item, stored: { storeKey, header }, decodable }
  try {
    const sealed = await call.sessionKeys.seal({ orgId: call.scope.orgId, sessionId, storeKey }, header)
    return { ...prepared, stored: { storeKey, header: sealed } }
  } catch (error) {
    // The session was erased meanwhile: nobody will ask for these bytes.
    await discardItem(call, prepared)
    throw error
  }
}

async function* once(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes
}

/** After a refusal or a replay. */
export const discardItem = async (call: Needs<'log' | 'store'>, { stored }: PreparedItem): Promise<void> => {
  if (!stored) return
  // The refusal is what the client must hear of, not that the tidying failed.
  await call.store
    .remove(stored.storeKey)
    .catch((error: unknown) => call.log.warn({ err: error }, 'stored bytes remain'))
}
