import { Readable } from 'node:stream'
import type { OutAnswer } from '../../http-out/http-out.ts'
import type { Pulse } from '../../pulse.ts'
import { StorageError } from '../types.ts'
import {
  answersAnything,
  headerOf,
  type RemoteOptions,
  type Signed,
  sendRetrying,
  textOf,
  totalOf,
} from './remote.request.ts'
import type { Bucket, PartsUpload, PutOptions, PutOutcome } from './remote.types.ts'
import { isPassing, s3Code, s3Error } from './s3.errors.ts'
import { percentEncode, type S3Credentials, signS3 } from './s3.signature.ts'
import { elementsOf, textOfFirst, textsOf } from './xml.ts'

export interface S3Place extends S3Credentials {
  /** Origin only. */
  readonly endpoint: string
  readonly bucket: string
  /** `endpoint/bucket/name` instead of `bucket.endpoint/name`. */
  readonly pathStyle: boolean
}

type Query = Readonly<Record<string, string>>
interface Ask extends Pick<Signed, 'method' | 'body'> {
  readonly name?: string
  readonly query?: Query
  readonly headers?: Readonly<Record<string, string>>
}
interface Told {
  readonly statusCode: number
  readonly headers: OutAnswer['headers']
  readonly text: string
}

const putIdHeader = 'x-amz-meta-put-id'
/** The name is taken; 409 when another write of it is under way. */
const taken = new Set([409, 412])
const missing = new Set(['NoSuchKey', 'NoSuchUpload'])

/** The S3 protocol, as far as AWS and those who speak it agree: whole bodies of known length, one deletion at a time. */
export class S3Bucket implements Bucket {
  readonly #place: S3Place
  readonly #base: URL
  readonly #options: RemoteOptions
  readonly pulse: Pulse | undefined

  constructor(place: S3Place, options: RemoteOptions) {
    this.#place = place
    this.#options = options
    this.pulse = options.pulse
    this.#base = new URL(place.endpoint)
    if (place.pathStyle) this.#base.pathname = `/${place.bucket}/`
    else this.#base.hostname = `${place.bucket}.${this.#base.hostname}`
  }

  /** Of an object that is not there: what it says does not matter. */
  answers(signal: AbortSignal): Promise<boolean> {
    return answersAnything(this.#options, this.#sign({ method: 'HEAD', name: 'pulse' }), signal)
  }

  async get(name: string, { start, end }: { start: number; end: number }): Promise<{ total: number; body: Readable }> {
    const ask = { method: 'GET', name, headers: { range: `bytes=${start}-${end - 1}` } } as const
    const found = await sendRetrying(
      this.#options,
      () => this.#sign(ask),
      async (answer) => {
        const { statusCode, headers, body } = answer
        if (statusCode === 206) return { total: totalOf(headers), body }
        const length = Number(headerOf(headers, 'content-length'))
        if (statusCode === 200 && start === 0 && length <= end) return { total: length, body }
        // Nothing of it can be had: an empty object.
        if (statusCode === 416 && start === 0) {
          await body.dump()
          return undefined
        }
        const text = await textOf(answer)
        throw s3Error(answer, text)
      },
    )
    if (found) return found
    const there = await this.head(name)
    if (there?.size !== 0) throw new StorageError('unusable', 'the provider does not give out parts of an object')
    return { total: 0, body: Readable.from([]) }
  }

  async head(name: string): Promise<{ size: number; putId: string | undefined } | undefined> {
    const { statusCode, headers } = await this.#ask({ method: 'HEAD', name }, [200, 404])
    if (statusCode === 404) return undefined
    return { size: Number(headerOf(headers, 'content-length')), putId: headerOf(headers, putIdHeader) }
  }

  async put(name: string, body: Buffer, { putId, exclusive }: PutOptions): Promise<PutOutcome> {
    const headers = { [putIdHeader]: putId, ...(exclusive && { 'if-none-match': '*' }) }
    return this.#write({ method: 'PUT', name, body, headers }, exclusive)
  }

  async begin(name: string, putId: string): Promise<PartsUpload> {
    const { text } = await this.#ask({
      method: 'POST',
      name,
      query: { uploads: '' },
      headers: { [putIdHeader]: putId },
    })
    const uploadId = textOfFirst(text, 'UploadId')
    if (uploadId === undefined) throw new StorageError('unusable', 'the provider began no upload')
    const tags: string[] = []
    return {
      put: async (index, body) => {
        const query = { partNumber: `${index + 1}`, uploadId }
        const { headers } = await this.#ask({ method: 'PUT', name, query, body })
        tags[index] = headerOf(headers, 'etag') ?? ''
      },
      complete: (exclusive) => this.#complete(name, uploadId, tags, exclusive),
      abort: async () => {
        await this.#ask({ method: 'DELETE', name, query: { uploadId } }, [200, 204, 404])
      },
    }
  }

  async remove(name: string): Promise<void> {
    const { text } = await this.#ask({ method: 'DELETE', name }, [200, 204, 404])
    if (s3Code(text) === 'NoSuchBucket') throw s3Error({ statusCode: 404 }, text)
  }

  async list(prefix: string, { limit, after }: { limit: number; after?: string | undefined }) {
    const query: Query = {
      'list-type': '2',
      'max-keys': `${limit}`,
      prefix,
      ...(after !== undefined && { 'continuation-token': after }),
    }
    const { text } = await this.#ask({ method: 'GET', query })
    const next = textOfFirst(text, 'NextContinuationToken')
    return { names: textsOf(text, 'Key'), ...(next !== undefined && { next }) }
  }

  async abortStale(prefix: string, before: number): Promise<number> {
    const { text } = await this.#ask({ method: 'GET', query: { uploads: '', prefix, 'max-uploads': '1000' } })
    let aborted = 0
    for (const upload of elementsOf(text, 'Upload')) {
      const [name, uploadId, begun] = ['Key', 'UploadId', 'Initiated'].map((tag) => textOfFirst(upload, tag))
      if (name === undefined || uploadId === undefined || !(Date.parse(begun ?? '') < before)) continue
      await this.#ask({ method: 'DELETE', name, query: { uploadId } }, [200, 204, 404])
      aborted++
    }
    return aborted
  }

  async #complete(name: string, uploadId: string, tags: readonly string[], exclusive: boolean): Promise<PutOutcome> {
    const parts = tags.map((tag, n) => `<Part><PartNumber>${n + 1}</PartNumber><ETag>${tag}</ETag></Part>`)
    const body = Buffer.from(`<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`)
    const headers = { 'content-type': 'application/xml', ...(exclusive && { 'if-none-match': '*' }) }
    return this.#write({ method: 'POST', name, query: { uploadId }, body, headers }, exclusive)
  }

  /** A write that may find its name taken, or its condition not understood. */
  async #write(ask: Ask, exclusive: boolean): Promise<PutOutcome> {
    const told = await this.#ask(ask, [200, 400, 404, 409, 412, 501])
    const code = s3Code(told.text)
    if (told.statusCode === 200 && code === undefined) return 'stored'
    if (exclusive && taken.has(told.statusCode) && code !== 'InvalidRequest') return 'taken'
    if (exclusive && (told.statusCode === 501 || code === 'InvalidRequest')) return 'unconditional'
    // Completed by a try whose answer was lost; whoever asked looks whose bytes are there.
    if (missing.has(code ?? '')) return 'taken'
    throw s3Error(told, told.text)
  }

  async #ask(ask: Ask, expected: readonly number[] = [200]): Promise<Told> {
    return sendRetrying(
      this.#options,
      () => this.#sign(ask),
      async (answer, moved) => {
        const { statusCode, headers } = answer
        const told = { statusCode, headers, text: await textOf(answer, moved) }
        // The code decides before the status: a completion may fail under a 200 that was sent before.
        if (isPassing(told.text) || !expected.includes(statusCode)) throw s3Error(answer, told.text)
        return told
      },
    )
  }

  #sign({ method, name = '', query = {}, headers = {}, body }: Ask): Signed {
    const url = new URL(name, this.#base)
    url.search = Object.entries(query)
      .map(([key, value]) => `${percentEncode(key)}=${percentEncode(value)}`)
      .join('&')
    const all: Record<string, string> = { ...headers }
    if (method === 'PUT' || method === 'POST') all['content-length'] = `${body?.length ?? 0}`
    const signed = signS3({ method, url, headers: all, body }, this.#place, this.#options.now())
    return { method, url, headers: signed, body }
  }
}
