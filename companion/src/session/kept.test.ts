import 'fake-indexeddb/auto'
import { describe, expect, it } from 'vitest'
import { bytesOf } from '../../test/fake-world.ts'
import { openIndexedQueue } from '../platform/queue.idb.ts'
import { Kept } from './kept.ts'

let made = 0
const names = () => {
  const name = `kept-${made++}`
  return () => openIndexedQueue(name)
}
const claiming = { code: 'K7QF2M9X', key: 'key-1' }

describe('what a phone keeps', () => {
  it('is there again after the app was closed, and films that were being written are clips', async () => {
    const open = names()
    const first = new Kept(open)
    await first.open()
    await first.remember({ claiming })
    await first.queue.beginFilm({ clientId: 'film-0001', sessionId: 'ses_1', at: 1, contentType: 'video/webm' })
    await first.queue.addChunk('film-0001', bytesOf('half'), 500)
    const second = new Kept(open)
    await second.open()
    expect([second.memory, (await second.queue.counts()).files]).toEqual([{}, 0])
    await second.recover()
    expect([second.memory, (await second.queue.counts()).files]).toEqual([{ claiming }, 1])
  })

  it('is nothing any more once it was forgotten, here and after the app was closed', async () => {
    const open = names()
    const kept = new Kept(open)
    await kept.open()
    await kept.remember({ claiming })
    await kept.forget()
    expect(kept.memory).toEqual({})
    const again = new Kept(open)
    await again.open()
    await again.recover()
    expect([again.memory, await again.queue.counts()]).toEqual([{}, { beats: 0, files: 0, dropped: 0 }])
  })

  it('is asked for only once it is open, and is remembered for now without it', async () => {
    const kept = new Kept(names())
    expect(() => kept.queue).toThrow('the queue is open before anything is paired')
    await kept.remember({ claiming })
    expect(kept.memory).toEqual({ claiming })
    await kept.forget()
    expect(kept.memory).toEqual({})
  })
})
