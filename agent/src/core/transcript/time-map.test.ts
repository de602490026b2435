import { describe, expect, it } from 'vitest'
import { TimeMap } from './time-map.ts'

describe('the map from sound to time', () => {
  it('knows when each millisecond was heard, over holes and silence that was put in', () => {
    const map = new TimeMap()
    expect(map.wallAt(0)).toBeUndefined()
    map.sound(10_000, 2000)
    map.sound(12_000, 1000)
    expect(map.isHole(13_020)).toBe(false)
    expect(map.isHole(20_000)).toBe(true)
    map.silence(800)
    map.sound(20_000, 1000)
    expect(map.streamMs).toBe(4800)
    expect([0, 2500, 3000, 3400, 3800, 4300, 9000].map((ms) => map.wallAt(ms))).toEqual([
      10_000, 12_500, 13_000, 13_000, 20_000, 20_500, 21_000,
    ])
  })

  it('begins a new stretch where the sound before was longer ago or later than it should be', () => {
    const map = new TimeMap()
    map.sound(10_000, 1000)
    expect(map.isHole(10_400)).toBe(true)
    expect(map.isHole(10_600)).toBe(false)
  })

  it('forgets what nobody asks for any more, and still knows the rest', () => {
    const map = new TimeMap()
    for (let index = 0; index < 100; index += 1) map.sound(index * 10_000, 1000)
    map.forgetBefore(50_500)
    expect(map.wallAt(50_500)).toBe(500_500)
    expect(map.wallAt(0)).toBe(500_000)
    expect(map.wallAt(99_500)).toBe(990_500)
  })
})
