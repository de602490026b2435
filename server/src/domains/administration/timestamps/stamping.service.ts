import { createHash, randomBytes } from 'node:crypto'
import { readCheckpoints, readLastCheckpoint } from '../../../kernel/audit/audit.checkpoint.store.ts'
import { findTimestamp, insertTimestamp } from '../../../kernel/audit/audit.timestamp.store.ts'
import type { Needs } from '../../../kernel/call.ts'
import type { JobCall } from '../../../kernel/jobs/define-job.ts'
import { GiveUp } from '../../../platform/give-up.ts'
import { askForBytes } from '../../../platform/provider/ask-provider.ts'
import { ProviderFailed } from '../../../platform/provider/provider-failed.ts'
import { loadTimestamps } from '../../../platform/timestamps/load-timestamps.ts'
import type { Timestamp } from '../../../platform/timestamps/timestamp-answer.ts'
import { TimestampRejected } from '../../../platform/timestamps/timestamp-fault.ts'
import { findAuthority, markAsked, markProblem } from './timestamps.store.ts'
import type { NamedAuthority, TimeAuthorityRow } from './timestamps.types.ts'

const name = 'the time-stamp authority'
/** A token with all the certificates above it is a few kilobytes. */
const mostBytes = 65_536

/** SHA-256 of what a checkpoint's signature is over: its lines up to the empty one, each with its line break. */
export const imprintOf = (note: string): Buffer =>
  createHash('sha256')
    .update(note.slice(0, note.indexOf('\n\n') + 1))
    .digest()

/**
 * Asks an authority for a time stamp of this hash, and checks it. Throws `ProviderFailed` in words for people; of the kind
 * `waits` where asking again may help.
 */
export const stampOf = async (
  { httpOut }: Needs<'httpOut'>,
  { authority, hash }: { readonly authority: NamedAuthority; readonly hash: Buffer },
): Promise<Timestamp & { readonly token: string }> => {
  const { url, policy, certificates } = authority
  const { anchorsOf, nonceOf, timestampRequest, verifyTimestamp } = await loadTimestamps()
  const nonce = nonceOf(randomBytes(8))
  const { status, bytes } = await askForBytes(httpOut, name, {
    method: 'POST',
    url,
    body: timestampRequest({ hash, nonce, policy }),
    mostBytes,
    headers: { 'content-type': 'application/timestamp-query', accept: 'application/timestamp-reply' },
  })
  if (status !== 200) throw new ProviderFailed('refused', `${name} answered ${status}`)
  try {
    const stamp = verifyTimestamp(bytes, { hash, nonce, policy, anchors: anchorsOf(certificates) })
    return { ...stamp, token: bytes.toString('base64') }
  } catch (error) {
    if (!(error instanceof TimestampRejected)) throw error
    throw new ProviderFailed('refused', `${name}: ${error.message}`)
  }
}

/** What was not stamped is asked for again after so long, where no newer checkpoint came. */
const againMs = 24 * 3_600_000

/** Asks for a time stamp of the newest checkpoint, where that is due. */
export const askWhereDue = async (
  call: Needs<'clock' | 'db' | 'jobs' | 'reader'>,
  { orgId, askedSize, askedAt }: TimeAuthorityRow,
): Promise<void> => {
  const last = await readLastCheckpoint(call.reader, orgId)
  const now = call.clock.now()
  if (!last || (last.size <= askedSize && now - askedAt < againMs)) return
  if (await findTimestamp(call.reader, orgId, last.size)) return
  // The trail is of both environments.
  const scope = { orgId, environment: 'live' } as const
  await call.db.transact(async (tx) => {
    await call.jobs.enqueue({ tx, scope }, { kind: 'timestamps.ask', payload: { size: last.size } })
    await markAsked(tx, orgId, last.size, now)
  })
}

/** Has one checkpoint stamped and keeps the token beside it. Rejects where asking again may help. */
export const stampCheckpoint = async (call: JobCall, size: number): Promise<void> => {
  const { orgId } = call.scope
  const row = await findAuthority(call.reader, orgId)
  const [checkpoint] = await readCheckpoints(call.reader, orgId, { after: size - 1, upTo: size, limit: 1 })
  if (!row || row.url === null || !checkpoint) return
  const authority = { ...row, url: row.url }
  try {
    const {
      at,
      authority: subject,
      token,
    } = await stampOf(call, {
      authority,
      hash: imprintOf(checkpoint.note),
    })
    await call.db.transact(async (tx) => {
      await insertTimestamp(tx, orgId, { size, stampedAt: at, authority: subject, token })
      await markProblem(tx, authority, null)
    })
  } catch (error) {
    if (!(error instanceof ProviderFailed)) throw error
    await call.db.transact((tx) => markProblem(tx, authority, error.message))
    call.log.warn({ orgId, problem: error.message }, 'a checkpoint was not stamped')
    throw error.kind === 'waits' ? error : new GiveUp(error.message)
  }
}
