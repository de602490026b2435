import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { defaultLimits } from '../../../src/app/config.ts'
import { type PackedItem, packedSound, packedStill, sendPack } from '../../test-support/packs.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'
import { newLevels, newSmall, type ReadReel, reelsOf } from './reels.test-support.ts'

const hours = 2
const seconds = hours * 3600

describe('an interview of two hours with four sources', () => {
  let server: TestServer
  // The very ceilings of a server, of which a member has 600 requests in a minute.
  beforeAll(async () => {
    const { perCredential, answersPerCredential, answersPerOrg } = defaultLimits
    server = await startServer({ limits: { perCredential, answersPerCredential, answersPerOrg } })
  })
  afterAll(() => server.stop())
  const t = reelsOf(() => server)

  it('is read by one member in at most 12 requests for a first look and 300 in all, with nothing refused or left out', async () => {
    const s = await t.session()
    const small = await newSmall()
    const sent: Record<string, string[]> = {}
    const note = (source: string, ids: readonly (string | undefined)[]) => {
      const known = sent[source] ?? []
      sent[source] = [...known, ...ids.map((id) => String(id))]
    }
    for (let at = 0; at < seconds; at += 300) {
      const pictures: PackedItem[] = []
      const sound: PackedItem[] = []
      for (let second = 0; second < 300; second += 10) {
        pictures.push(await packedStill(server, { small }))
        if (second % 30 === 0)
          pictures.push(await packedStill(server, { evidenceType: 'camera_frame', displayId: undefined, small }))
        sound.push(packedSound(server, { sequence: (at + second) / 10, levels: newLevels() }))
        sound.push(packedSound(server, { sequence: (at + second) / 10, evidenceType: 'system_audio_chunk' }))
        server.clock.advance(10_000)
      }
      for (const pack of [pictures, sound])
        for (const { evidence } of await sendPack(s, pack)) note(evidence!.source, [evidence!.id])
    }
    await t.end(s)
    const owner = await t.owner()
    let requests = 0
    const count = <T>(answer: Promise<T>): Promise<T> => {
      requests += 1
      return answer
    }
    const { data: index } = await count(
      server.client().call('portal.reelIndex.get', { params: { id: s.id }, headers: owner }),
    )
    expect(index.sources.filter(({ items }) => items && items.id.length > 0)).toHaveLength(4)
    // A first look: the index, a minute of each source, and small pictures and levels of the first ten.
    for (const { source, items } of index.sources)
      if (items && items.id.length > 0) await count(t.ofMember(s, source, owner, { from: 0 }))
    await count(t.ofMember(s, 'screen:d1', owner, { from: 0, size: 'small' }))
    await count(t.ofMember(s, 'microphone', owner, { from: 0, size: 'levels' }))
    expect(requests).toBeLessThanOrEqual(12)
    for (const { source, items } of index.sources) {
      if (!items || items.id.length === 0) continue
      const read: string[] = []
      for (let from: number | null | undefined = 0; typeof from === 'number'; ) {
        const reel: ReadReel = await count(t.ofMember(s, source, owner, { from }))
        expect(reel.status).toBe(200)
        read.push(...reel.frames.map(({ head }) => head.id))
        from = reel.nextMs
      }
      expect(read).toEqual(sent[source])
      expect(read).toEqual(items.id)
    }
    expect(requests).toBeLessThanOrEqual(300)
  })
})
