import { EventEmitter } from 'node:events'
import { describe, expect, it } from 'vitest'
import { sendEvents } from './sse.ts'

describe('a stream of events', () => {
  it.each(['the server begins to go down', 'the client leaves'])(
    'is not opened when %s while a place is looked for',
    async (what) => {
      const draining = new AbortController()
      const res = Object.assign(new EventEmitter(), { destroyed: false })
      let opened = 0
      const take = () => {
        if (what === 'the client leaves') res.destroyed = true
        else draining.abort()
        return Promise.resolve(true)
      }
      const open = () => {
        opened += 1
        return { end: () => undefined }
      }
      const app = {
        draining: draining.signal,
        config: { limits: { streamsPerKey: 2 } },
        shared: { places: { take } },
        streams: { countOf: () => 0, open },
      }
      const listener = { credential: 'key_1', stillAllowed: () => Promise.resolve(false), requestId: 'req_1' }
      const sent = sendEvents(app as never, { method: 'GET', res } as never, listener, {} as never)
      await expect(sent).rejects.toMatchObject({ code: 'service_unavailable', headers: { 'Retry-After': '1' } })
      expect(opened).toBe(0)
    },
  )
})
