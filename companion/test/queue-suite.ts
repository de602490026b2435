import { describe, expect, it } from 'vitest'
import type { QueuedBeat, QueuedClip, QueuedItem, QueuePort } from '../src/session/queue.port.ts'
import { bytesOf } from './fake-world.ts'

let made = 0
const newName = () => `queue-${made++}`
const beat = (n: number): QueuedBeat => ({
  kind: 'beat',
  clientId: `beat-${n}`,
  sessionId: 'ses_1',
  at: n,
  beat: { recording: 'on' },
})
const clip = (n: number, size: number): QueuedClip => ({
  kind: 'clip',
  clientId: `clip-${n}`,
  sessionId: 'ses_1',
  at: n,
  contentType: 'video/webm',
  durationMs: 1000,
  bytes: new ArrayBuffer(size),
})
const idsOf = (items: readonly QueuedItem[]) => items.map(({ clientId }) => clientId)
const film = { clientId: 'film-1', sessionId: 'ses_1', at: 5, contentType: 'video/webm' }
const textOf = (item: QueuedItem | undefined) =>
  item?.kind === 'clip' ? new TextDecoder().decode(item.bytes) : undefined

/** Opens the queue of this name, again as after a restart of the app. `limit`: bytes of clips that may wait. */
export type OpenQueue = (name: string, limit?: number) => Promise<QueuePort>

/** What every durable queue must do. */
export const queueSuite = (of: string, openQueue: OpenQueue): void => {
  describe(`the queue of ${of}`, () => {
    it('gives items back oldest first, lane by lane, each once, also after it was opened anew', async () => {
      const name = newName()
      const queue = await openQueue(name)
      for (const item of [beat(2), clip(1, 4), beat(1), beat(2)]) await queue.put(item)
      const again = await openQueue(name)
      expect(idsOf(await again.oldest('beats', 10))).toEqual(['beat-2', 'beat-1'])
      expect(idsOf(await again.oldest('beats', 1))).toEqual(['beat-2'])
      expect(idsOf(await again.oldest('files', 10))).toEqual(['clip-1'])
      await again.settle([beat(2), beat(9)])
      expect(await queue.counts()).toEqual({ beats: 1, files: 1, dropped: 0 })
    })

    it('makes one clip of the chunks of a film, and nothing of one without any', async () => {
      const queue = await openQueue(newName())
      await queue.beginFilm(film)
      await queue.addChunk('film-1', bytesOf('one '), 1000)
      await queue.addChunk('film-1', bytesOf('two'), 2000)
      await queue.endFilm('film-1')
      await queue.addChunk('film-1', bytesOf('late'), 3000)
      await queue.endFilm('film-1')
      const [made, ...more] = await queue.oldest('files', 10)
      expect(more).toEqual([])
      expect(made).toMatchObject({ kind: 'clip', clientId: 'film-1', at: 5, durationMs: 2000 })
      expect(textOf(made)).toBe('one two')
      await queue.beginFilm({ ...film, clientId: 'film-2' })
      await queue.endFilm('film-2')
      expect((await queue.counts()).files).toBe(1)
    })

    it('keeps the small picture of a film for its clip', async () => {
      const queue = await openQueue(newName())
      await queue.beginFilm(film)
      await queue.addChunk('film-1', bytesOf('one'), 1000)
      await queue.addSmall('film-1', 'AQID')
      await queue.addChunk('film-1', bytesOf('two'), 2000)
      await queue.endFilm('film-1')
      await queue.addSmall('film-1', 'late')
      const [made] = await queue.oldest('files', 10)
      expect(made).toMatchObject({ small: 'AQID', durationMs: 2000 })
      expect(textOf(made)).toBe('onetwo')
    })

    it('makes a clip of a film that was being written when the page went away', async () => {
      const name = newName()
      const before = await openQueue(name)
      await before.beginFilm(film)
      await before.addChunk('film-1', bytesOf('all there was'), 1500)
      const after = await openQueue(name)
      await after.recover()
      await after.recover()
      expect((await after.oldest('files', 10)).map(textOf)).toEqual(['all there was'])
    })

    it('leaves the oldest clips out when they are too many, counts them, and never the newest or a beat', async () => {
      const queue = await openQueue(newName(), 100)
      await queue.put(beat(1))
      for (const n of [1, 2, 3]) {
        await queue.beginFilm({ ...film, clientId: `film-${n}` })
        await queue.addChunk(`film-${n}`, new ArrayBuffer(n === 3 ? 150 : 60), 1)
        await queue.endFilm(`film-${n}`)
      }
      expect(idsOf(await queue.oldest('files', 10))).toEqual(['film-3'])
      expect(await queue.counts()).toEqual({ beats: 1, files: 1, dropped: 2 })
    })

    it('remembers the session through a reload, and forgets everything when told', async () => {
      const name = newName()
      const queue = await openQueue(name)
      expect(await queue.recall()).toEqual({})
      await queue.remember({ claiming: { code: 'ABCDEFGH', key: 'k' } })
      await queue.put(clip(1, 4))
      expect((await (await openQueue(name)).recall()).claiming?.key).toBe('k')
      await queue.clear()
      expect([await queue.recall(), await queue.oldest('files', 10)]).toEqual([{}, []])
    })

    it('keeps a photo with its bytes, and what it was said to be', async () => {
      const queue = await openQueue(newName())
      const steps = [{ step: 'height', confirmed: false }] as const
      const photo = { bytes: bytesOf('a photo'), contentType: 'image/jpeg' } as const
      const item = { kind: 'placement', clientId: 'photo-1', sessionId: 'ses_1', at: 7, steps, photo } as const
      await queue.put(item)
      const [kept] = await queue.oldest('files', 1)
      expect(kept).toMatchObject({
        kind: 'placement',
        clientId: 'photo-1',
        at: 7,
        steps,
        photo: { contentType: 'image/jpeg' },
      })
      const bytes = kept?.kind === 'placement' ? kept.photo.bytes : new ArrayBuffer(0)
      expect(new TextDecoder().decode(bytes)).toBe('a photo')
    })
  })
}
