import { ServiceError } from '@integrity/protocol'

/**
 * A provider refuses, or cannot be asked. `ends`: the access is gone for good. `waits`: it may work later, after so many
 * milliseconds where it said how many. Its words are shown to members: none of the provider's own, which may repeat secrets.
 */
export class ProviderFailed extends Error {
  override readonly name = 'ProviderFailed'
  readonly kind: 'ends' | 'refused' | 'waits'
  readonly waitMs: number | undefined
  constructor(kind: 'ends' | 'refused' | 'waits', words: string, waitMs?: number) {
    super(words)
    this.kind = kind
    this.waitMs = waitMs
  }
}

/** A provider's refusal as an answer of ours; anything else stays as it is. */
export const asRefusal = (error: unknown): unknown => {
  if (!(error instanceof ProviderFailed)) return error
  const { kind, message, waitMs } = error
  if (kind === 'waits')
    return new ServiceError('service_unavailable', `${message}; nothing was changed`, {
      extra: { reason: 'provider_down' },
      headers: { 'Retry-After': String(Math.ceil((waitMs ?? 30_000) / 1000)) },
    })
  const reason = kind === 'ends' ? 'access_ended' : 'provider_refused'
  return new ServiceError('conflict', message, { extra: { reason } })
}

/** What came of a failed attempt: whether another one can mend it, and in whose words it is shown. */
export const judged = (error: unknown): { readonly isFinal: boolean; readonly problem: string } => {
  if (error instanceof ProviderFailed) return { isFinal: error.kind !== 'waits', problem: error.message }
  // What it was about was erased meanwhile, or is none any more.
  if (error instanceof ServiceError && error.code !== 'service_unavailable')
    return { isFinal: true, problem: error.message }
  return { isFinal: false, problem: 'something failed here; it is in the log' }
}
