import type { EvidenceType } from '@integrity/protocol'
import {
  buildCaptureSession,
  type CaptureOptions,
  type CaptureSession,
  film,
  iso,
  keyClient,
  newClientId,
  sha256,
  storedFiles,
} from '../../test-support/capture-session.ts'
import type { TestServer } from '../../test-support/server.ts'

export const MiB = 1024 * 1024
export const partBytes = MiB

interface Item {
  readonly bytes: Buffer
  readonly clientId: string
  readonly evidenceType: EvidenceType
  readonly contentType: string
  readonly partSize: number
}

/** Uploads in parts, one call after the other. */
export const uploadsOf = (current: () => TestServer) => {
  const session = (options?: CaptureOptions) => buildCaptureSession(current(), options)
  /** Three parts of a film unless told otherwise. */
  const buildItem = (overrides: Partial<Item> = {}): Item => ({
    bytes: film(2 * partBytes + 70_000),
    clientId: newClientId(),
    evidenceType: 'screen_clip',
    contentType: 'video/webm',
    partSize: partBytes,
    ...overrides,
  })
  const declare = (item: Item, overrides: Record<string, unknown> = {}) => ({
    clientId: item.clientId,
    evidenceType: item.evidenceType,
    sizeBytes: item.bytes.length,
    sha256: sha256(item.bytes),
    contentType: item.contentType,
    capturedAt: iso(current().clock.now()),
    durationMs: 10_000,
    partSize: item.partSize,
    metadata: { displayId: 'display-1' },
    ...(item.evidenceType === 'system_audio_chunk' ? { codec: 'opus' } : {}),
    ...overrides,
  })
  const beginRaw = async (s: CaptureSession, item: Item, overrides: Record<string, unknown> = {}) =>
    current()
      .client(s.token)
      .call('agent.uploads.begin', { params: { id: s.id }, body: declare(item, overrides) })
  const begin = async (s: CaptureSession, item: Item): Promise<string> => {
    const { data } = await beginRaw(s, item)
    if (!('uploadId' in data)) throw new Error('the item is here already')
    return data.uploadId
  }
  const partOf = ({ bytes, partSize }: Item, index: number) => bytes.subarray(index * partSize, (index + 1) * partSize)
  const sendPart = async (s: CaptureSession, uploadId: string, index: number, bytes: Buffer, hash = sha256(bytes)) =>
    current()
      .client(s.token)
      .call('agent.uploads.part', {
        params: { uploadId },
        raw: { bytes, contentType: 'application/octet-stream', meta: { index, sha256: hash } },
      })
  const status = async (s: CaptureSession, uploadId: string) =>
    (await current().client(s.token).call('agent.uploads.status', { params: { uploadId } })).data
  const complete = (s: CaptureSession, uploadId: string) =>
    current().client(s.token).call('agent.uploads.complete', { params: { uploadId } })
  const abort = (s: CaptureSession, uploadId: string) =>
    current().client(s.token).call('agent.uploads.abort', { params: { uploadId } })
  const contentOf = async (s: CaptureSession, id: string) => {
    const { data } = await keyClient(current(), s).call('evidence.downloadUrl', { params: { id } })
    const answer = await fetch(current().url + data.url.slice(current().app.config.baseUrl.length))
    return Buffer.from(await answer.arrayBuffer())
  }
  const sendAll = async (s: CaptureSession, item: Item, order = [0, 1, 2]) => {
    const uploadId = await begin(s, item)
    for (const index of order) await sendPart(s, uploadId, index, partOf(item, index))
    return uploadId
  }
  const segments = () => storedFiles(current(), 'segments')
  const listed = async (s: CaptureSession) =>
    (await keyClient(current(), s).call('sessions.evidence.list', { params: { id: s.id } })).data
  return {
    session,
    buildItem,
    declare,
    beginRaw,
    begin,
    partOf,
    sendPart,
    status,
    complete,
    abort,
    contentOf,
    sendAll,
    segments,
    listed,
  }
}
