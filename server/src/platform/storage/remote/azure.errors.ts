import { StorageError } from '../types.ts'

const full = 'the provider has no room left, or the quota is used up'
/** `x-ms-error-code`, as a refusal whose words a person may read. */
const known: Readonly<Record<string, readonly [StorageError['code'], string]>> = {
  BlobNotFound: ['not_found', 'the object is not there'],
  ContainerNotFound: ['no_bucket', 'there is no container of this name'],
  ContainerBeingDeleted: ['no_bucket', 'the container is being deleted'],
  ContainerDisabled: ['denied', 'the container is closed'],
  AccountIsDisabled: ['denied', 'the account is closed'],
  AuthenticationFailed: ['denied', 'the provider does not accept this key'],
  AuthorizationFailure: ['denied', 'these credentials may not do this'],
  AuthorizationPermissionMismatch: ['denied', 'these credentials may not do this'],
  InsufficientAccountPermissions: ['denied', 'these credentials may not do this'],
  AccountQuotaExceeded: ['full', full],
  RequestBodyTooLarge: ['full', 'the provider takes no objects of this size'],
  ServerBusy: ['unreachable', 'the provider is too busy'],
}
const byStatus: Readonly<Record<number, readonly [StorageError['code'], string]>> = {
  401: ['denied', 'the provider does not accept this key'],
  403: ['denied', 'the provider does not accept this key, or not for this'],
  404: ['not_found', 'the object is not there'],
  413: ['full', 'the provider takes no objects of this size'],
  507: ['full', full],
}

/** More than that apart, the provider takes no signature. Milliseconds. */
const mostSkewMs = 15 * 60_000

/** An answer that is not the one asked for, in words. A clock that is off is refused as a wrong key is; its date tells. */
export const azureError = (
  statusCode: number,
  code: string | undefined,
  { date, now }: { readonly date: string | undefined; readonly now: number },
): StorageError => {
  if (statusCode === 403 && Math.abs(Date.parse(date ?? '') - now) > mostSkewMs)
    return new StorageError('clock_skew', 'the clock of this machine and that of the provider differ by too much')
  const [kind, words] = known[code ?? ''] ?? byStatus[statusCode] ?? ['unusable', undefined]
  if (words !== undefined) return new StorageError(kind, words)
  if (statusCode >= 500) return new StorageError('unreachable', `the provider fails (HTTP ${statusCode})`)
  return new StorageError('unusable', `the provider answers in a way that is not understood (HTTP ${statusCode})`)
}
