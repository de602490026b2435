import type { OutAnswer } from '../../http-out/http-out.ts'
import { StorageError } from '../types.ts'
import { textOfFirst } from './xml.ts'

const full = 'the provider has no room left, or the quota is used up'
/** Codes of S3 and of those who speak it, as a refusal whose words a person may read. */
const known: Readonly<Record<string, readonly [StorageError['code'], string]>> = {
  NoSuchKey: ['not_found', 'the object is not there'],
  NoSuchBucket: ['no_bucket', 'there is no bucket of this name'],
  InvalidBucketName: ['no_bucket', 'the provider takes this for no name of a bucket'],
  PermanentRedirect: ['no_bucket', 'the bucket is in another region'],
  AuthorizationHeaderMalformed: ['no_bucket', 'the region is not that of the bucket'],
  InvalidAccessKeyId: ['denied', 'the provider does not know this access key'],
  SignatureDoesNotMatch: ['denied', 'the secret is not that of this access key'],
  AccessDenied: ['denied', 'these credentials may not do this'],
  AllAccessDisabled: ['denied', 'the provider has closed this bucket'],
  AccountProblem: ['denied', 'the provider reports a problem with the account'],
  RequestTimeTooSkewed: ['clock_skew', 'the clock of this machine and that of the provider differ by too much'],
  RequestExpired: ['clock_skew', 'the clock of this machine and that of the provider differ by too much'],
  QuotaExceeded: ['full', full],
  XMinioStorageFull: ['full', full],
  EntityTooLarge: ['full', 'the provider takes no objects of this size'],
  // These may pass, whatever status they come with: AWS sends the first two under 200 and 400.
  InternalError: ['unreachable', 'the provider fails'],
  RequestTimeout: ['unreachable', 'the provider waited too long for the bytes'],
  SlowDown: ['unreachable', 'the provider is too busy'],
  Throttling: ['unreachable', 'the provider is too busy'],
  RequestThrottled: ['unreachable', 'the provider is too busy'],
  TooManyRequests: ['unreachable', 'the provider is too busy'],
  BandwidthLimitExceeded: ['unreachable', 'the provider is too busy'],
  RequestLimitExceeded: ['unreachable', 'the provider is too busy'],
  PriorRequestNotComplete: ['unreachable', 'the provider is too busy'],
  ServiceUnavailable: ['unreachable', 'the provider is not available'],
}
const byStatus: Readonly<Record<number, readonly [StorageError['code'], string]>> = {
  301: ['no_bucket', 'the bucket is in another region'],
  307: ['no_bucket', 'the bucket is in another region'],
  401: ['denied', 'the provider does not accept these credentials'],
  403: ['denied', 'these credentials may not do this'],
  404: ['not_found', 'the object is not there'],
  413: ['full', 'the provider takes no objects of this size'],
  429: ['unreachable', 'the provider is too busy'],
  503: ['unreachable', 'the provider is too busy'],
  507: ['full', full],
}

export const s3Code = (text: string): string | undefined => textOfFirst(text, 'Code')

/** A failure that may pass, by its code: the status may be another's. */
export const isPassing = (text: string): boolean => known[s3Code(text) ?? '']?.[0] === 'unreachable'

/** An answer that is not the one asked for, in words. Nothing of the answer's own text is in them. */
export const s3Error = ({ statusCode }: Pick<OutAnswer, 'statusCode'>, text: string): StorageError => {
  const [code, words] = known[s3Code(text) ?? ''] ?? byStatus[statusCode] ?? ['unusable', undefined]
  if (words !== undefined) return new StorageError(code, words)
  if (statusCode >= 500) return new StorageError('unreachable', `the provider fails (HTTP ${statusCode})`)
  return new StorageError('unusable', `the provider answers in a way that is not understood (HTTP ${statusCode})`)
}
