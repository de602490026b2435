import { EventEmitter } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { setImmediate } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { readBody } from './read-body.ts'

/** A request of which the test says what has come. */
const newRequest = () => Object.assign(new EventEmitter(), { headers: {} })

const read = (request: ReturnType<typeof newRequest>) =>
  readBody(request as unknown as IncomingMessage, {
    limit: 1000,
    pace: { bodyBytesPerSecond: 1000, bodySeconds: 0.02 },
  })

it('is over when nothing comes', async () => {
  await expect(read(newRequest())).rejects.toMatchObject({ status: 408 })
})

it('does not blame the sender for a moment in which this process stood still', async () => {
  const request = newRequest()
  const reading = read(request)
  // Once the turn's sockets were read: the timers that are due come next, and what came meanwhile is read after them.
  await setImmediate()
  const come = setImmediate().then(() => {
    request.emit('data', Buffer.alloc(100))
    request.emit('end')
  })
  const end = performance.now() + 100
  while (performance.now() < end);
  const [body] = await Promise.all([reading, come])
  expect(body.length).toBe(100)
})
