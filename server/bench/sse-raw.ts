// The least that a stream can cost: node:http, and for each event one buffer that is written to every response.
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createIds } from '../src/platform/ids.ts'
import { type PublishOrder, publishPaced } from './sse-paced.ts'

const newId = createIds(() => Date.now())
const streams: ServerResponse[] = []
const server = createServer((_request, response) => {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' })
  response.write(':\n\n')
  streams.push(response)
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const session = { id: newId('ses'), externalId: 'REQ-1024', state: 'scheduled' }

/** As bytes before any client is written to. */
const made = (): Buffer => {
  const id = newId('evt')
  const envelope = {
    id,
    type: 'session.scheduled',
    sessionId: session.id,
    createdAt: new Date().toISOString(),
    apiVersion: 'v1',
    catalogVersion: '2026-09-04',
    data: { session },
  }
  return Buffer.from(`id: ${id}\nevent: session.scheduled\ndata: ${JSON.stringify(envelope)}\n\n`)
}
const publish = async (): Promise<void> => {
  const bytes = made()
  for (const stream of streams) stream.write(bytes)
  await new Promise(setImmediate)
}
process.on('message', (order: PublishOrder) => void publishPaced(order, publish))
process.on('disconnect', () => process.exit(0))
process.send?.({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, key: 'none' })
