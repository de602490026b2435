import {
  type captureEnd,
  captureEndText,
  captureItemText,
  type captureKeyRegistration,
  captureKeyText,
  type captureSignature,
  invalid,
  ServiceError,
  type SignedItem,
} from '@integrity/protocol'
import type * as z from 'zod'
import type { Needs, Reads, Writes } from '../../../kernel/call.ts'
import { isSignedBy } from './capture-keys.model.ts'
import { type CaptureKeyRow, endCaptureKey, insertCaptureKey, listCaptureKeys } from './capture-keys.store.ts'

export type CaptureSignature = z.output<typeof captureSignature>
type Registration = z.output<typeof captureKeyRegistration> & { readonly documentHash: string }

/** An application makes one for each consent; more than this is no machine's doing. */
const mostKeys = 50

/** The keys of a session that the caller has found, in the order of their registration. */
export const captureKeysOf = ({ reader, scope }: Reads, sessionId: string): Promise<CaptureKeyRow[]> =>
  listCaptureKeys(reader, scope, sessionId)

/** Keeps the key that a machine made for a locked session, once. Throws `invalid_request` when it does not hold the key itself. */
export const registerCaptureKey = async (
  call: Writes & Needs<'clock'>,
  { sessionId, registration }: { readonly sessionId: string; readonly registration: Registration },
): Promise<void> => {
  const { key, signature } = registration
  if (!isSignedBy(key, captureKeyText({ sessionId, ...registration }), signature))
    throw invalid('captureKey.signature', 'is not a signature of this key over this session and consent document')
  const known = await captureKeysOf(call, sessionId)
  if (known.some((row) => row.key === key)) return
  if (known.length >= mostKeys) throw new ServiceError('conflict', `this session has ${mostKeys} keys already`)
  await insertCaptureKey(call.tx, call.scope, sessionId, { ...registration, registeredAt: call.clock.now() })
}

/**
 * Keeps how long a machine says its chain is. One that does not fit is not kept: a session ends whatever is said of it, and
 * the chain then has no end.
 */
export const keepCaptureEnd = async (
  call: Writes & Needs<'clock'>,
  { sessionId, end }: { readonly sessionId: string; readonly end: z.output<typeof captureEnd> },
): Promise<void> => {
  if (!isSignedBy(end.key, captureEndText({ sessionId, ...end }), end.signature)) return
  await endCaptureKey(call.tx, call.scope, sessionId, end, call.clock.now())
}

/** Tells of items of one session whether each came with a signature by a key of the session over what it is. */
export const captureVerifier = (call: Reads, sessionId: string) => {
  let keys: Promise<CaptureKeyRow[]> | undefined
  return async (
    item: Omit<SignedItem, 'sequence' | 'previous' | 'sessionId'>,
    { key: by, sequence, previous, signature }: CaptureSignature,
  ): Promise<boolean> => {
    keys ??= captureKeysOf(call, sessionId)
    if (!(await keys).some(({ key }) => key === by)) return false
    return isSignedBy(by, captureItemText({ ...item, sessionId, sequence, previous }), signature)
  }
}
