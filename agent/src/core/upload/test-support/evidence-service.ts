import { createHash } from 'node:crypto'
import { splitFrames } from '@integrity/protocol'
import { failure, type Handler, type SeenRequest, success } from './scripted-server.ts'

/** An item of a pack as it came. */
export interface PackedItem {
  readonly head: Readonly<Record<string, unknown>> & { readonly clientId: string; readonly sha256: string }
  readonly body: Buffer
}

interface Upload {
  readonly clientId: string
  readonly sha256: string
  readonly partCount: number
  readonly parts: Map<number, Buffer>
  state: 'open' | 'completed'
}

/** The upload part of the service as far as the uploader sees it, in memory: idempotent on clientId, hash-checked. */
export class EvidenceService {
  /** Bytes by clientId, as stored. */
  readonly stored = new Map<string, Buffer>()
  readonly events = new Map<string, Record<string, unknown>>()
  /** The items of each pack that came. */
  readonly packs: PackedItem[][] = []
  /** How items of packs are refused, by their clientId. */
  readonly refusals = new Map<string, { readonly code: string; readonly retryAfterSeconds?: number }>()
  /** An older service has no such endpoint. */
  hasPacks = true
  readonly partSize: number
  backoffMs = 0
  readonly #uploads = new Map<string, Upload>()

  constructor(partSize = 1000) {
    this.partSize = partSize
  }

  readonly handle: Handler = (request) => {
    const { pathname, searchParams } = new URL(request.path, 'http://service.test')
    if (pathname.endsWith('/events')) return this.#ingest(request)
    if (pathname.endsWith('/packs')) return this.hasPacks ? this.#pack(request) : failure(404, 'not_found')
    if (pathname.endsWith('/evidence') || pathname.endsWith('/system-audio-chunks')) return this.#begin(request)
    const upload = /^\/v1\/uploads\/([^/]+)(?:\/(\w+))?$/.exec(pathname)
    if (upload) return this.#uploadCall(request, upload[1] ?? '', upload[2], Number(searchParams.get('index')))
    return this.#small(request)
  }

  #ingest(request: SeenRequest): ReturnType<Handler> {
    const { events } = JSON.parse(request.body.toString()) as { events: { clientId: string }[] }
    for (const event of events) this.events.set(event.clientId, event)
    return success({ accepted: events.length, duplicates: 0, health: { backoffMs: this.backoffMs } })
  }

  #pack({ body }: SeenRequest): ReturnType<Handler> {
    const frames = splitFrames(body, { frames: 64, headBytes: 32 * 1024 })
    const items = frames.map((frame) => ({
      head: JSON.parse(Buffer.from(frame.head).toString()) as PackedItem['head'],
      body: Buffer.from(frame.body),
    }))
    this.packs.push(items)
    return success({ items: items.map((item) => this.#packed(item)) })
  }

  #packed({ head: { clientId, sha256: said }, body }: PackedItem) {
    const refusal = this.refusals.get(clientId) ?? (sha256(body) === said ? undefined : { code: 'invalid_request' })
    if (refusal) return { clientId, status: 'refused', error: { message: refusal.code, ...refusal } }
    const status = this.stored.has(clientId) ? 'known' : 'stored'
    this.stored.set(clientId, body)
    return { clientId, status, evidence: { id: `evd_${clientId}` } }
  }

  #small(request: SeenRequest): ReturnType<Handler> {
    const meta = JSON.parse(String(request.headers['x-service-evidence-meta'])) as { clientId: string; sha256: string }
    if (sha256(request.body) !== meta.sha256)
      return failure(400, 'invalid_request', [{ path: 'sha256', message: 'differs' }])
    const known = this.stored.has(meta.clientId)
    this.stored.set(meta.clientId, request.body)
    return success({ id: `evd_${meta.clientId}` }, known ? 200 : 201)
  }

  #begin(request: SeenRequest): ReturnType<Handler> {
    const body = JSON.parse(request.body.toString()) as { clientId: string; sha256: string; sizeBytes: number }
    const known = [...this.stored.values()].some((bytes) => sha256(bytes) === body.sha256)
    if (known) return success({ deduplicated: true, evidence: { id: 'evd_1' } })
    const uploadId = `upl_${this.#uploads.size + 1}`
    const partCount = Math.ceil(body.sizeBytes / this.partSize)
    this.#uploads.set(uploadId, {
      clientId: body.clientId,
      sha256: body.sha256,
      partCount,
      parts: new Map(),
      state: 'open',
    })
    return success(
      { uploadId, partSize: this.partSize, partCount, receivedParts: [], expiresAt: '2026-03-03T00:00:00.000Z' },
      201,
    )
  }

  #uploadCall(request: SeenRequest, uploadId: string, verb: string | undefined, index: number): ReturnType<Handler> {
    const upload = this.#uploads.get(uploadId)
    if (!upload) return failure(404, 'not_found')
    const receivedParts = [...upload.parts.keys()].sort((a, b) => a - b)
    const missingParts = Array.from({ length: upload.partCount }, (_, at) => at).filter((at) => !upload.parts.has(at))
    if (verb === undefined) {
      const { state, partCount } = upload
      return success({ uploadId, state, partSize: this.partSize, partCount, receivedParts, missingParts })
    }
    if (verb === 'parts') {
      if (sha256(request.body) !== request.headers['x-service-part-sha256']) return failure(400, 'invalid_request')
      upload.parts.set(index, request.body)
      return success({ index, receivedParts: [...receivedParts, index] })
    }
    if (missingParts.length > 0)
      return failure(409, 'conflict', [{ path: 'missingParts', message: missingParts.join() }])
    const whole = Buffer.concat(
      Array.from({ length: upload.partCount }, (_, at) => upload.parts.get(at) ?? Buffer.alloc(0)),
    )
    if (sha256(whole) !== upload.sha256) return failure(400, 'invalid_request')
    this.stored.set(upload.clientId, whole)
    upload.state = 'completed'
    return success({ id: `evd_${upload.clientId}` }, 201)
  }

  /** As when it expired at the server. */
  forgetUploads(): void {
    this.#uploads.clear()
  }
}

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')
