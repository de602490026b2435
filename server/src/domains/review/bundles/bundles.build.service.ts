import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { ServiceError } from '@integrity/protocol'
import { checkpointKey, signCheckpoint } from '../../../kernel/audit/audit.checkpoint.ts'
import { inTx, type Needs, type Reads } from '../../../kernel/call.ts'
import type { AuditActor } from '../../../kernel/identity/actor.ts'
import { iso } from '../../../kernel/time.ts'
import { AgeError } from '../../../platform/crypto/age-error.ts'
import { SealedFile } from '../../../platform/film/sealed-file.ts'
import { sealWhole } from '../../../platform/storage/sealed-object.ts'
import { lockSession } from '../../interviews/sessions/sessions.read.service.ts'
import type { SessionRow } from '../../interviews/sessions/sessions.types.ts'
import { recipientsOf } from '../../organisation/recipients/recipients.service.ts'
import { newestOf } from '../../recording/audit/audit.extract.service.ts'
import { enqueueRemoval } from '../../recording/evidence/evidence.erase.service.ts'
import { type Laid, layOut, type Member } from './bundles.layout.model.ts'
import { type ManifestPart, manifestOf } from './bundles.manifest.model.ts'
import { type Measured, measuredEvidence, spool } from './bundles.measure.service.ts'
import { writtenParts } from './bundles.parts.view.ts'
import { playerParts } from './bundles.player.view.ts'
import { type BundleRow, deleteBundle, insertBundle, listBundles } from './bundles.store.ts'
import type { Wanted } from './bundles.types.ts'

const format = 'session-bundle/1'
const lifetimeMs = 7 * 86_400_000
/** So many kinds of bundle are kept of a session; the oldest makes room. */
const keptOfSession = 8

export type BuildCall = Reads & { readonly actor: AuditActor } & Needs<
    | 'audit'
    | 'clock'
    | 'config'
    | 'db'
    | 'identities'
    | 'jobs'
    | 'keyring'
    | 'log'
    | 'newId'
    | 'recordSources'
    | 'seal'
    | 'sessionKeys'
    | 'store'
  >

async function* bytesOf({ kept }: Laid, plan: Buffer, file: SealedFile): AsyncGenerator<Buffer> {
  for (const piece of kept)
    if (Buffer.isBuffer(piece)) yield piece
    else if (piece.end > piece.start) yield* file.read(piece)
  yield plan
}

const textMember = (name: string, text: string) => {
  const bytes = Buffer.from(text)
  return { name, bytes, size: bytes.length, crc32: crc32(bytes) }
}

const erasing = ['session.partly_erased', 'session.erased'] as const

/**
 * The row and its audit row; a bundle of the same kind, and the oldest of too many, make room. False when something was erased
 * since the session was read.
 */
const record = (
  call: BuildCall,
  row: BundleRow,
  { erasedUpTo, ...payload }: Readonly<Record<string, unknown>> & { readonly erasedUpTo: number },
): Promise<boolean> =>
  call.db.transact(async (tx) => {
    const { sessionId } = row
    await lockSession(inTx(call, tx), sessionId)
    if (
      (await newestOf({ reader: tx }, { orgId: call.scope.orgId, wanted: { sessionId, anyAction: erasing } })) >
      erasedUpTo
    )
      return false
    const all = await listBundles(tx, call.scope, sessionId)
    const others = all.filter(({ variant }) => variant !== row.variant)
    const gone = [...all.filter(({ variant }) => variant === row.variant), ...others.slice(keptOfSession - 1)]
    for (const { storeKey } of gone) await deleteBundle(tx, call.scope, { sessionId, storeKey })
    if (gone.length > 0) await enqueueRemoval(inTx(call, tx), { storeKeys: gone.map(({ storeKey }) => storeKey) })
    await insertBundle(tx, call.scope, row)
    await call.audit.append(inTx(call, tx), { action: 'session.bundled', target: sessionId, sessionId, payload })
    return true
  })

const erasedMeanwhile = () =>
  new ServiceError('service_unavailable', 'part of this session was erased during the request; try again', {
    headers: { 'Retry-After': '1' },
  })

interface Gathered {
  readonly manifest: { readonly lines: number; readonly root: string }
  readonly laid: Laid
}

/** Reads everything once, and lays it out. */
const gather = async (call: BuildCall, session: SessionRow, wanted: Wanted, file: SealedFile): Promise<Gathered> => {
  const { orgId } = call.scope
  const parts: ManifestPart[] = []
  const members: Member[] = []
  const take = (measured: Measured | { readonly part: ManifestPart }): void => {
    parts.push(measured.part)
    if (!('at' in measured)) return
    const { part, at, crc32: crc } = measured
    members.push({ name: part.path, size: part.size, crc32: crc, at })
  }
  for await (const part of writtenParts(call, session, wanted)) take(await spool(file, part))
  if (!wanted.reports && wanted.audience !== 'candidate')
    take({ part: { path: 'reports/', kind: 'report', leftOut: 'not_permitted' } })
  for await (const measured of measuredEvidence(call, { sessionId: session.id, wanted })) take(measured)
  for (const part of await playerParts(call, { session, wanted, parts })) take(await spool(file, part))
  await file.finish()
  const { audience, recipients } = wanted
  const createdAt = iso(call.clock.now())
  const { text, ...manifest } = manifestOf(
    { format, orgId, sessionId: session.id, createdAt, audience, recipients },
    parts,
  )
  const seal = signCheckpoint(
    checkpointKey(call.keyring),
    orgId,
    { seq: manifest.lines, hash: manifest.root },
    'bundle',
  )
  const texts = [textMember('manifest.jsonl', text), textMember('seal.txt', seal)]
  return { manifest, laid: layOut(texts, members, recipients.length > 0) }
}

const store = async (call: BuildCall, session: SessionRow, storeKey: string, laid: Laid, file: SealedFile) => {
  const { orgId } = call.scope
  const plan = Buffer.from(JSON.stringify(laid.plan))
  const recipients = await recipientsOf(call, orgId)
  const size = laid.keptBytes + plan.length
  const whole = await sealWhole(bytesOf(laid, plan, file), { store: call.store, key: storeKey, size, recipients })
  // An erased session has no key any more, and nothing that would need one.
  const isErased = session.erasedAt !== null
  const header = isErased
    ? whole.header
    : await call.sessionKeys.seal({ orgId, sessionId: session.id, storeKey }, whole.header)
  return { header, sha256: whole.sha256, planBytes: plan.length }
}

/**
 * Builds a bundle, signs it and keeps what was written for it; evidence stays where it is and is read again when somebody
 * downloads. Throws `service_unavailable` when something was erased meanwhile.
 */
export const buildBundle = async (
  call: BuildCall,
  {
    session,
    wanted,
    bundle: { variant, inputs },
  }: { readonly session: SessionRow; readonly wanted: Wanted; readonly bundle: Pick<BundleRow, 'inputs' | 'variant'> },
): Promise<BundleRow> => {
  const { orgId } = call.scope
  const sessionId = session.id
  const erasedUpTo = await newestOf(call, { orgId, wanted: { sessionId, anyAction: erasing } })
  await call.db.transact((tx) => call.audit.sign(tx, orgId))
  const file = await SealedFile.create(join(call.config.dataDir, 'films'))
  const storeKey = `${orgId}/${call.newId('bdl')}`
  try {
    const { manifest, laid } = await gather(call, session, wanted, file)
    const stored = await store(call, session, storeKey, laid, file)
    const now = call.clock.now()
    const { keptBytes, sizeBytes } = laid
    const row = {
      sessionId,
      variant,
      inputs,
      createdAt: now,
      expiresAt: now + lifetimeMs,
      sizeBytes,
      keptBytes,
      storeKey,
      ...stored,
    }
    const { audience } = wanted
    if (await record(call, row, { erasedUpTo, audience, ...manifest, sizeBytes })) return row
    throw erasedMeanwhile()
  } catch (error) {
    await call.store.remove(storeKey)
    throw error instanceof AgeError && error.code === 'no_matching_identity' ? erasedMeanwhile() : error
  } finally {
    await file.discard()
  }
}
