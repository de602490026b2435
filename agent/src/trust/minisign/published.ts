import type { Client } from '@integrity/client/every-endpoint'
import { isStatus } from '../../core/session/service-calls.ts'
import {
  type DocumentOf,
  type Expected,
  type OpenOptions,
  openSignedDocument,
  type Refusal,
  type SignedText,
} from './signed-document.ts'

/** What the service has published: nothing, a document that is believed, or one that is not. */
export type Published<T> =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'document'; readonly document: T; readonly signed: SignedText }
  | { readonly kind: 'refused'; readonly refusal: Refusal }

const fetchSigned = async (client: Client, expected: Expected, signal: AbortSignal): Promise<SignedText> => {
  if (expected.kind === 'security_policy') return (await client.call('updates.securityPolicy', { signal })).data
  const { app, channel } = expected
  return (await client.call('updates.manifest', { query: { app, channel }, signal })).data
}

/**
 * Reads a signed document from the service and opens it. Needs no credential, and no pinned connection: its signature
 * says whose it is, and the policy that lifts pinning must be readable exactly when the pins are wrong.
 * Throws `IntegrityError` when the service does not answer.
 */
export const readPublished = async <E extends Expected>(
  client: Client,
  expected: E,
  { signal, ...options }: OpenOptions & { readonly signal: AbortSignal },
): Promise<Published<DocumentOf<E>>> => {
  let answer: SignedText
  try {
    answer = await fetchSigned(client, expected, signal)
  } catch (error) {
    if (isStatus(error, 404)) return { kind: 'nothing' }
    throw error
  }
  // The client does not check the shape of what it is given.
  const signed = { document: String(answer?.document), signature: String(answer?.signature) }
  const opened = await openSignedDocument(signed, expected, options)
  return opened.ok
    ? { kind: 'document', document: opened.document, signed }
    : { kind: 'refused', refusal: opened.refusal }
}
