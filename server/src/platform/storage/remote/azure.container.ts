import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { OutAnswer } from '../../http-out/http-out.ts'
import type { Pulse } from '../../pulse.ts'
import { StorageError } from '../types.ts'
import { azureError } from './azure.errors.ts'
import { type AzureCredentials, signAzure } from './azure.signature.ts'
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
import { elementsOf, textOfFirst } from './xml.ts'

export interface AzurePlace extends AzureCredentials {
  /** Origin, and the account as a path where the provider wants it there. */
  readonly endpoint: string
  readonly container: string
}

interface Ask extends Pick<Signed, 'method' | 'body'> {
  readonly name?: string
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
}
interface Told {
  readonly statusCode: number
  readonly headers: OutAnswer['headers']
  readonly code: string | undefined
  readonly text: string
}

const putIdHeader = 'x-ms-meta-putid'
const md5 = (bytes: Buffer): string => createHash('md5').update(bytes).digest('base64')

/** Block blobs of one container. */
export class AzureContainer implements Bucket {
  readonly #place: AzurePlace
  readonly #base: string
  readonly #options: RemoteOptions
  readonly pulse: Pulse | undefined

  constructor(place: AzurePlace, options: RemoteOptions) {
    this.#place = place
    this.#options = options
    this.pulse = options.pulse
    this.#base = `${place.endpoint.replace(/\/$/, '')}/${place.container}`
  }

  /** Of an object that is not there: what it says does not matter. */
  answers(signal: AbortSignal): Promise<boolean> {
    return answersAnything(this.#options, this.#sign({ method: 'HEAD', name: 'pulse' }), signal)
  }

  async get(name: string, { start, end }: { start: number; end: number }): Promise<{ total: number; body: Readable }> {
    const ask = { method: 'GET', name, headers: { range: `bytes=${start}-${end - 1}` } } as const
    const read = async (answer: OutAnswer) => {
      const { statusCode, headers, body } = answer
      if (statusCode === 206) return { total: totalOf(headers), body }
      await textOf(answer)
      if (statusCode === 416 && start === 0) return undefined
      throw this.#errorOf(answer)
    }
    const found = await sendRetrying(this.#options, () => this.#sign(ask), read)
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

  put(name: string, body: Buffer, { putId, exclusive }: PutOptions): Promise<PutOutcome> {
    const headers = { 'x-ms-blob-type': 'BlockBlob', 'content-md5': md5(body) }
    return this.#write({ method: 'PUT', name, body, headers }, putId, exclusive)
  }

  /** Blocks that were never committed vanish by themselves after a week, and cannot be taken away before. */
  async begin(name: string, putId: string): Promise<PartsUpload> {
    const blocks: string[] = []
    return {
      put: async (index, body) => {
        const blockid = Buffer.from(`${putId}-${`${index}`.padStart(5, '0')}`).toString('base64')
        const headers = { 'content-md5': md5(body) }
        await this.#ask({ method: 'PUT', name, query: { comp: 'block', blockid }, body, headers }, [201])
        blocks[index] = blockid
      },
      complete: (exclusive) => {
        const list = blocks.map((block) => `<Latest>${block}</Latest>`).join('')
        const body = Buffer.from(`<?xml version="1.0" encoding="utf-8"?><BlockList>${list}</BlockList>`)
        return this.#write({ method: 'PUT', name, query: { comp: 'blocklist' }, body }, putId, exclusive)
      },
      abort: () => Promise.resolve(),
    }
  }

  async remove(name: string): Promise<void> {
    const told = await this.#ask({ method: 'DELETE', name }, [202, 404])
    if (told.code === 'ContainerNotFound') throw this.#errorOf(told)
  }

  async list(prefix: string, { limit, after }: { limit: number; after?: string | undefined }) {
    const query = {
      restype: 'container',
      comp: 'list',
      prefix,
      maxresults: `${limit}`,
      ...(after !== undefined && { marker: after }),
    }
    const { text } = await this.#ask({ method: 'GET', query }, [200])
    const names = elementsOf(text, 'Blob').map((blob) => textOfFirst(blob, 'Name') ?? '')
    const next = textOfFirst(text, 'NextMarker') || undefined
    return { names, ...(next !== undefined && { next }) }
  }

  abortStale(): Promise<number> {
    return Promise.resolve(0)
  }

  async #write(ask: Ask, putId: string, exclusive: boolean): Promise<PutOutcome> {
    const headers = { ...ask.headers, [putIdHeader]: putId, ...(exclusive && { 'if-none-match': '*' }) }
    const told = await this.#ask({ ...ask, headers }, [201, 409, 412])
    if (told.statusCode === 201) return 'stored'
    if (exclusive && (told.code === 'BlobAlreadyExists' || told.code === 'ConditionNotMet')) return 'taken'
    throw this.#errorOf(told)
  }

  async #ask(ask: Ask, expected: readonly number[]): Promise<Told> {
    return sendRetrying(
      this.#options,
      () => this.#sign(ask),
      async (answer, moved) => {
        const { statusCode, headers } = answer
        const told = {
          statusCode,
          headers,
          code: headerOf(headers, 'x-ms-error-code'),
          text: await textOf(answer, moved),
        }
        if (!expected.includes(statusCode)) throw this.#errorOf(told)
        return told
      },
    )
  }

  #errorOf({ statusCode, headers }: Pick<Told, 'statusCode' | 'headers'>): StorageError {
    const clocks = { date: headerOf(headers, 'date'), now: this.#options.now() }
    return azureError(statusCode, headerOf(headers, 'x-ms-error-code'), clocks)
  }

  #sign({ method, name, query = {}, headers = {}, body }: Ask): Signed {
    const url = new URL(name === undefined ? this.#base : `${this.#base}/${name}`)
    for (const [key, value] of Object.entries(query)) url.searchParams.set(key, value)
    const all = method === 'PUT' ? { ...headers, 'content-length': `${body?.length ?? 0}` } : headers
    return {
      method,
      url,
      headers: signAzure({ method, url, headers: all, body }, this.#place, this.#options.now()),
      body,
    }
  }
}
