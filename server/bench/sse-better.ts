// The baseline of the stream bench: better-sse with one channel, broadcasting envelopes of the same size from memory.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createChannel, createSession } from 'better-sse'
import { createIds } from '../src/platform/ids.ts'
import { type PublishOrder, publishPaced } from './sse-paced.ts'

const newId = createIds(() => Date.now())
const channel = createChannel()
const server = createServer((request, response) => {
  void createSession(request, response).then((session) => channel.register(session))
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const session = { id: newId('ses'), externalId: 'REQ-1024', state: 'scheduled' }
const publish = async (): Promise<void> => {
  const id = newId('evt')
  const envelope = {
    ...{ id, type: 'session.scheduled', sessionId: session.id, createdAt: new Date().toISOString() },
    ...{ apiVersion: 'v1', catalogVersion: '2026-09-04', data: { session } },
  }
  channel.broadcast(envelope, 'session.scheduled', { eventId: id })
  await new Promise(setImmediate)
}
process.on('message', (order: PublishOrder) => void publishPaced(order, publish))
process.on('disconnect', () => process.exit(0))
process.send?.({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, key: 'none' })
