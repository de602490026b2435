import { createHash, randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface S3Ask {
  readonly method: string
  /** Decoded: `/bucket/name`. */
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: IncomingMessage['headers']
  readonly body: Buffer
}
/** What goes wrong: an answer of its own, a broken connection, or silence. Undefined: all goes well. */
export type S3Fault =
  | { readonly status: number; readonly code?: string }
  | 'break'
  | 'hang'
  /** Half of the answer's body, then the connection breaks. */
  | 'half'
  /** Done as asked, but the answer is lost. */
  | 'lost'
  | undefined

interface Stored {
  readonly bytes: Buffer
  readonly putId: string | undefined
}

/** An S3 server in memory with one bucket, `evidence`, which does what the script says where a real one cannot be made to. */
export interface S3Double {
  readonly endpoint: string
  readonly objects: Map<string, Stored>
  readonly asks: S3Ask[]
  /** Bytes of the parts of unfinished uploads. */
  readonly uploads: Map<string, Map<number, Buffer>>
  /** What these are called, and since when they are there, ISO 8601. */
  readonly begun: Map<string, { readonly name: string; readonly at: string }>
  fault: (ask: S3Ask) => S3Fault | Promise<S3Fault>
  /** Whether it knows conditions; 501 otherwise. */
  conditional: boolean
  stop(): Promise<void>
}

const escaped = (text: string): string => text.replace(/&/g, '&amp;').replace(/</g, '&lt;')

interface Reply {
  readonly status: number
  readonly headers?: Record<string, string | number>
  readonly body?: Buffer | string
}
const refuse = (status: number, code: string): Reply => ({ status, body: `<Error><Code>${code}</Code></Error>` })

export const startS3Double = async (): Promise<S3Double> => {
  const sockets = new Set<import('node:net').Socket>()
  const server = createServer((req, res) => {
    const chunks: Buffer[] = []
    req.on('data', (chunk: Buffer) => chunks.push(chunk))
    req.on('end', () => void answer(double, req, res, Buffer.concat(chunks)))
  })
  // Longer than a slow machine pauses: a connection that this side ends is asked on once more, and tests count what is asked.
  server.keepAliveTimeout = 120_000
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const double: S3Double = {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    objects: new Map(),
    asks: [],
    uploads: new Map(),
    begun: new Map(),
    fault: () => undefined,
    conditional: true,
    stop: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return double
}

const answer = async (double: S3Double, req: IncomingMessage, res: ServerResponse, body: Buffer): Promise<void> => {
  const url = new URL(req.url ?? '/', 'http://double')
  const ask: S3Ask = {
    method: req.method ?? '',
    path: decodeURIComponent(url.pathname),
    query: url.searchParams,
    headers: req.headers,
    body,
  }
  double.asks.push(ask)
  const fault = await double.fault(ask)
  if (fault === 'hang') return
  if (fault === 'break') return void req.socket.destroy()
  const reply =
    typeof fault === 'object'
      ? { status: fault.status, ...(fault.code !== undefined && { body: `<Error><Code>${fault.code}</Code></Error>` }) }
      : replyTo(double, ask)
  if (fault === 'lost') return void req.socket.destroy()
  const bytes = Buffer.from(reply.body ?? '')
  res.writeHead(reply.status, { 'content-length': bytes.length, ...reply.headers })
  if (ask.method === 'HEAD') res.end()
  else if (fault === 'half') res.write(bytes.subarray(0, bytes.length / 2), () => req.socket.destroy())
  else res.end(bytes)
}

const replyTo = (double: S3Double, ask: S3Ask): Reply => {
  const { method, path, query, headers, body } = ask
  const [, bucket, ...rest] = path.split('/')
  const name = rest.join('/')
  if (bucket !== 'evidence') return refuse(404, 'NoSuchBucket')
  const sent = headers['x-amz-content-sha256']
  if (sent !== createHash('sha256').update(body).digest('hex')) return refuse(400, 'XAmzContentSHA256Mismatch')
  const condition = headers['if-none-match']
  if (condition !== undefined && !double.conditional) return refuse(501, 'NotImplemented')
  const isTaken = condition === '*' && double.objects.has(name)
  if (query.has('uploads') || query.has('uploadId')) return multipart(double, ask, name, isTaken)
  if (method === 'PUT') {
    if (isTaken) return refuse(412, 'PreconditionFailed')
    double.objects.set(name, { bytes: body, putId: headers['x-amz-meta-put-id'] as string | undefined })
    return { status: 200, headers: { etag: '"x"' } }
  }
  if (method === 'DELETE') {
    double.objects.delete(name)
    return { status: 204 }
  }
  return name === '' ? list(double, query) : read(double, ask, name)
}

const read = (double: S3Double, { method, headers }: S3Ask, name: string): Reply => {
  const stored = double.objects.get(name)
  if (!stored) return refuse(404, 'NoSuchKey')
  const { bytes, putId } = stored
  const meta = { ...(putId !== undefined && { 'x-amz-meta-put-id': putId }) }
  const range = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? '')
  if (method === 'HEAD') return { status: 200, headers: { ...meta, 'content-length': bytes.length } }
  if (!range) return { status: 200, headers: meta, body: bytes }
  const start = Number(range[1])
  if (start >= bytes.length) return refuse(416, 'InvalidRange')
  const body = bytes.subarray(start, Number(range[2]) + 1)
  const contentRange = `bytes ${start}-${start + body.length - 1}/${bytes.length}`
  return { status: 206, headers: { ...meta, 'content-range': contentRange }, body }
}

const list = (double: S3Double, query: URLSearchParams): Reply => {
  const after = query.get('continuation-token') ?? ''
  const all = [...double.objects.keys()]
    .sort()
    .filter((name) => name.startsWith(query.get('prefix') ?? '') && name > after)
  const page = all.slice(0, Number(query.get('max-keys') ?? 1000))
  const next =
    page.length < all.length ? `<NextContinuationToken>${escaped(page.at(-1) ?? '')}</NextContinuationToken>` : ''
  const contents = page.map((name) => `<Contents><Key>${escaped(name)}</Key></Contents>`)
  return { status: 200, body: `<ListBucketResult>${contents.join('')}${next}</ListBucketResult>` }
}

const listUploads = ({ uploads, begun }: S3Double): Reply => {
  const entries = [...uploads.keys()].map((id) => {
    const { name = '', at = '' } = begun.get(id) ?? {}
    return `<Upload><Key>${escaped(name)}</Key><UploadId>${id}</UploadId><Initiated>${at}</Initiated></Upload>`
  })
  return { status: 200, body: `<ListMultipartUploadsResult>${entries.join('')}</ListMultipartUploadsResult>` }
}

const multipart = (
  double: S3Double,
  { method, query, headers, body }: S3Ask,
  name: string,
  isTaken: boolean,
): Reply => {
  const uploadId = query.get('uploadId') ?? ''
  if (method === 'GET' && query.has('uploads')) return listUploads(double)
  if (method === 'POST' && query.has('uploads')) {
    const id = `${randomUUID()}:${(headers['x-amz-meta-put-id'] as string | undefined) ?? ''}`
    double.uploads.set(id, new Map())
    double.begun.set(id, { name, at: new Date().toISOString() })
    return {
      status: 200,
      body: `<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`,
    }
  }
  const parts = double.uploads.get(uploadId)
  if (!parts) return refuse(404, 'NoSuchUpload')
  if (method === 'PUT') {
    parts.set(Number(query.get('partNumber')), body)
    return { status: 200, headers: { etag: `"${query.get('partNumber')}"` } }
  }
  if (method === 'DELETE') {
    double.uploads.delete(uploadId)
    return { status: 204 }
  }
  if (isTaken) return refuse(412, 'PreconditionFailed')
  const bytes = Buffer.concat([...parts].sort(([a], [b]) => a - b).map(([, part]) => part))
  double.objects.set(name, { bytes, putId: uploadId.split(':')[1] })
  double.uploads.delete(uploadId)
  return { status: 200, body: '<CompleteMultipartUploadResult/>' }
}
