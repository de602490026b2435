import { expect, it } from 'vitest'
import { always, everySeconds, sideViewOften } from './how-often.ts'

it('one second is said without a number, and a phone that films does so all the time', () => {
  expect([everySeconds(1).key, everySeconds(7)]).toEqual(['brief.second', { key: 'brief.seconds', n: 7 }])
  expect(sideViewOften({ recording: true, previewIntervalSeconds: 10 })).toBe(always)
  expect(sideViewOften({ recording: false, previewIntervalSeconds: 10 })).toEqual(everySeconds(10))
})
