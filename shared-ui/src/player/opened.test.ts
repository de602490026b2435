import { expect, it } from 'vitest'
import { openedOf } from './opened.ts'
import { source } from './player.test-support.ts'
import { SeenTime } from './seen-time.ts'
import { timelineOf } from './timeline.ts'

const account = [[0, 30_000, 'observed', null, true] as const]
const timeline = timelineOf([source('screen', { at: [0, 5000, 22_000], account })])
const moments = [{ atMs: -500 }, { atMs: 6000 }, { atMs: 25_000 }]

it('counts the moments and items of which something was shown, an item also from its middle', () => {
  const seen = new SeenTime()
  expect(openedOf(seen, timeline, moments)).toMatchObject({
    moments: 0,
    ofMoments: 3,
    items: 0,
    ofItems: 3,
    shownMs: 0,
  })
  seen.at(0, false)
  expect(openedOf(seen, timeline, moments)).toMatchObject({ moments: 1, items: 1, shownMs: 1000, ofMs: 30_000 })
  seen.at(6000, false)
  expect(openedOf(seen, timeline, moments)).toMatchObject({ moments: 2, items: 2, shownMs: 2000 })
  expect(seen.touches(1000, 6000)).toBe(false)
})
