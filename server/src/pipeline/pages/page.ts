import { createHash, hash as hashOf } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Context as KoaContext } from 'koa'

/** Something that is the same for everybody, kept in memory. */
export interface Page {
  readonly type: string
  readonly cacheControl: string
  readonly headers: Readonly<Record<string, string>>
  /** The first hex digits of the SHA-256 of its bytes. */
  readonly hash: string
  /** Answers a GET or HEAD: 200 in the best encoding the client takes, or 304 when it has it already. */
  send(koa: KoaContext): Promise<void>
}

export interface PageSource {
  readonly type: string
  readonly bytes: Buffer
  readonly cacheControl: string
  readonly headers?: Readonly<Record<string, string>>
}

const sha256Of = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

/** For an address that holds the hash of its content. */
export const forever = 'public, max-age=31536000, immutable'

type Encoding = 'br' | 'gzip' | 'identity'
const preferred = ['br', 'gzip'] as const

// Off the event loop, once for each encoding; better ratios of Brotli cost seconds for a few per cent.
const compress: Record<Encoding, (bytes: Buffer) => Promise<Buffer>> = {
  br: (bytes) => promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 7 } }),
  gzip: (bytes) => promisify<Buffer, { level: number }, Buffer>(gzip)(bytes, { level: constants.Z_BEST_COMPRESSION }),
  identity: (bytes) => Promise.resolve(bytes),
}

/** RFC 9110, 13.1.2: a weak comparison with each tag of the list. */
const matches = (header: string, tag: string): boolean =>
  header.trim() === '*' || header.split(',').some((given) => given.trim().replace(/^W\//, '') === tag)

export const definePage = (source: PageSource): Page => {
  const { type, bytes, cacheControl, headers = {} } = source
  const hash = sha256Of(bytes).slice(0, 16)
  const encoded = new Map<Encoding, Promise<Buffer>>()
  const inEncoding = (encoding: Encoding): Promise<Buffer> => {
    const known = encoded.get(encoding)
    if (known) return known
    const made = compress[encoding](bytes)
    encoded.set(encoding, made)
    return made
  }
  const digests = new Map<Encoding, string>()
  /** RFC 9530: of the bytes as they are sent. */
  const digestIn = async (encoding: Encoding): Promise<string> => {
    const known = digests.get(encoding)
    if (known) return known
    const made = `sha-256=:${hashOf('sha256', await inEncoding(encoding), 'base64')}:`
    digests.set(encoding, made)
    return made
  }
  return {
    type,
    cacheControl,
    headers,
    hash,
    async send(koa) {
      const encoding = preferred.find((name) => koa.acceptsEncodings(name) === name) ?? 'identity'
      const tag = `"${encoding === 'identity' ? hash : `${hash}-${encoding}`}"`
      koa.set({ ...headers, ETag: tag, 'Cache-Control': cacheControl, Vary: 'Accept-Encoding' })
      koa.set('X-Content-Type-Options', 'nosniff')
      if (matches(koa.get('If-None-Match'), tag)) {
        koa.status = 304
        return
      }
      const body = await inEncoding(encoding)
      koa.type = type
      if (encoding !== 'identity') koa.set('Content-Encoding', encoding)
      koa.body = body
      if (koa.method !== 'HEAD') koa.set('Content-Digest', await digestIn(encoding))
    },
  }
}
