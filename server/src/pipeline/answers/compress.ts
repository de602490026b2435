import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { EndpointSpec } from '@integrity/protocol'
import type { Context as KoaContext } from 'koa'

/** Shorter text is a packet either way. */
const leastBytes = 1024

// Off the event loop. Better ratios cost several times as much for a tenth.
const encoders = {
  br: promisify((bytes: Buffer, done: (error: Error | null, result: Buffer) => void) =>
    brotliCompress(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }, done),
  ),
  gzip: promisify((bytes: Buffer, done: (error: Error | null, result: Buffer) => void) => gzip(bytes, done)),
}

/**
 * Whether the length of its answer may follow from what is in it. Secrets are answered to writes alone, once each; beside
 * words that a caller chose, a shorter answer would tell of them (BREACH). A strong tag names the bytes that it was given for.
 */
export const mayCompress = ({ method, kind, setsCookies, success }: EndpointSpec, etag = ''): boolean =>
  method === 'GET' &&
  (kind ?? 'json') === 'json' &&
  !setsCookies &&
  (!(success as readonly number[]).includes(304) || etag.startsWith('W/'))

export interface Compressed {
  readonly encoding: keyof typeof encoders
  readonly bytes: Buffer
}

/** The text in the best encoding that the client takes; `undefined` where it is better sent as it is. */
export const compress = async (koa: KoaContext, text: string): Promise<Compressed | undefined> => {
  if (text.length < leastBytes || !koa.req.headers['accept-encoding']) return undefined
  const encoding = koa.acceptsEncodings('br', 'gzip', 'identity')
  if (encoding !== 'br' && encoding !== 'gzip') return undefined
  return { encoding, bytes: await encoders[encoding](Buffer.from(text, 'utf8')) }
}
