import { createHash, createHmac } from 'node:crypto'
import type { Signed } from './remote.request.ts'

export interface S3Credentials {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly region: string
}

const algorithm = 'AWS4-HMAC-SHA256'

const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text, 'utf8').digest()
const sha256 = (bytes: string | Buffer): string => createHash('sha256').update(bytes).digest('hex')

/** RFC 3986: everything but the unreserved characters, which `encodeURIComponent` leaves more of. */
export const percentEncode = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)

const canonicalQuery = (url: URL): string =>
  [...url.searchParams]
    .map(([name, value]) => `${percentEncode(name)}=${percentEncode(value)}`)
    .sort()
    .join('&')

/**
 * Signs a request with AWS Signature Version 4, the payload's hash included, as `s3` wants it: the path is signed as it
 * stands. Answers all headers to send; what is not signed here must not be sent.
 */
export const signS3 = (
  { method, url, headers, body = Buffer.alloc(0) }: Signed,
  { accessKeyId, secretAccessKey, region }: S3Credentials,
  now: number,
): Record<string, string> => {
  const time = new Date(now).toISOString().replace(/[-:]|\.\d{3}/g, '')
  const date = time.slice(0, 8)
  const payload = sha256(body)
  const signed: Record<string, string> = { host: url.host, 'x-amz-content-sha256': payload, 'x-amz-date': time }
  for (const [name, value] of Object.entries(headers)) signed[name.toLowerCase()] = value.trim()
  const names = Object.keys(signed).sort()
  const canonical = [
    ...[method, url.pathname, canonicalQuery(url)],
    ...names.map((name) => `${name}:${signed[name]}`),
    ...['', names.join(';'), payload],
  ].join('\n')
  const scope = `${date}/${region}/s3/aws4_request`
  const key = hmac(hmac(hmac(hmac(`AWS4${secretAccessKey}`, date), region), 's3'), 'aws4_request')
  const signature = hmac(key, [algorithm, time, scope, sha256(canonical)].join('\n')).toString('hex')
  const authorization = `${algorithm} Credential=${accessKeyId}/${scope}, SignedHeaders=${names.join(';')}, Signature=${signature}`
  return { ...signed, authorization }
}
