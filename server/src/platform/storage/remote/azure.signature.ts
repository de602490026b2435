import { createHmac } from 'node:crypto'
import type { Signed } from './remote.request.ts'

export interface AzureCredentials {
  readonly account: string
  /** One of the account's two keys, base64. */
  readonly key: string
}

/** In the order in which they are signed; what stands between them is a line for each, empty or not. */
const signedHeaders = [
  ...['content-encoding', 'content-language', 'content-length', 'content-md5', 'content-type', 'date'],
  ...['if-modified-since', 'if-match', 'if-none-match', 'if-unmodified-since', 'range'],
]

/** Of a version from 2009-09-19 on; below that of any account of today. */
const version = '2021-12-02'

/** Signs a request with the account's shared key ("Authorize with Shared Key"). Answers all headers to send. */
export const signAzure = (
  { method, url, headers }: Signed,
  { account, key }: AzureCredentials,
  now: number,
): Record<string, string> => {
  const all: Record<string, string> = { 'x-ms-date': new Date(now).toUTCString(), 'x-ms-version': version }
  for (const [name, value] of Object.entries(headers)) all[name.toLowerCase()] = value.trim()
  const lines = signedHeaders.map((name) => (name === 'content-length' && all[name] === '0' ? '' : (all[name] ?? '')))
  const own = Object.keys(all)
    .filter((name) => name.startsWith('x-ms-'))
    .sort()
    .map((name) => `${name}:${all[name]}`)
  const query = [...url.searchParams].map(([name, value]) => `${name.toLowerCase()}:${value}`).sort()
  const text = [method, ...lines, ...own, `/${account}${url.pathname}`, ...query].join('\n')
  const signature = createHmac('sha256', Buffer.from(key, 'base64')).update(text, 'utf8').digest('base64')
  return { ...all, authorization: `SharedKey ${account}:${signature}` }
}
