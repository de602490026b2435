import { MessageChannel, type MessagePort } from 'node:worker_threads'
import { afterEach, describe, expect, it } from 'vitest'
import { until } from '../../../test/test-support/until.ts'
import { systemClock } from '../../shared/clock.ts'
import { type PagePort, portPage } from './message-port.ts'
import type { PageCommand } from './messages.ts'
import { createPageLink } from './page-link.ts'

/** Node's port in the form of Electron's, whose messages come inside an event. */
const asMainPort = (port: MessagePort): PagePort => {
  const wrapped = new Map<(event: { data: unknown }) => void, (data: unknown) => void>()
  return {
    postMessage: (message) => port.postMessage(message),
    start: () => port.start(),
    on: (event: 'message' | 'close', listener: ((event: { data: unknown }) => void) | (() => void)) => {
      const heard = (data: unknown): void => listener({ data })
      wrapped.set(listener, heard)
      return port.on(event, heard)
    },
    off: (event, listener) => port.off(event, wrapped.get(listener)!),
  }
}

describe('a capture page at a message port', () => {
  let far: MessagePort
  afterEach(() => far.close())

  it('answers with bytes, and is gone when its port is closed', async () => {
    const { port1, port2 } = new MessageChannel()
    far = port2
    far.on('message', ({ id, command }: PageCommand) => {
      const at = systemClock.wallMs()
      if (command === 'ping') far.postMessage({ answer: id, value: { at } })
      else
        far.postMessage({
          answer: id,
          value: { contentType: 'image/jpeg', width: 2, height: 1 },
          bytes: Uint8Array.from([9, 8, 7]),
        })
    })
    const link = createPageLink(portPage(asMainPort(port1)), systemClock)
    const { bytes } = await link.request('picture', { stream: 's', contentType: 'image/jpeg', quality: 60 })
    expect(bytes).toEqual(Buffer.from([9, 8, 7]))
    far.close()
    await until('the page to be gone', () => link.isClosed())
    await expect(link.request('ping', {})).rejects.toMatchObject({ reason: 'driver_failed' })
  })
})
