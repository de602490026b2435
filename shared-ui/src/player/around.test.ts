import { describe, expect, it } from 'vitest'
import { Around } from './around.ts'
import type { Playing } from './playing.ts'

/** A player that is moved by hand. */
const startPlayer = (firstMs = 0) => {
  const listeners = new Set<() => void>()
  let [atMs, wanted] = [firstMs, false]
  const tell = () => {
    for (const listener of listeners) listener()
  }
  const engine = {
    get atMs() {
      return atMs
    },
    playing: (): Playing => ({
      phase: wanted ? 'playing' : 'paused',
      wanted,
      atMs,
      rate: 1,
      views: new Map(),
      problem: undefined,
    }),
    subscribe: (listener: () => void) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    seek: (to: number) => {
      atMs = Math.max(firstMs, to)
      tell()
    },
    play: () => {
      wanted = true
      tell()
    },
    pause: () => {
      wanted = false
      tell()
    },
  }
  return { engine, around: new Around(engine) }
}

describe('the ten seconds around a place', () => {
  it('begin five seconds before it, and end five seconds after it', () => {
    const { engine, around } = startPlayer()
    around.play(60_000)
    expect(engine.playing()).toMatchObject({ wanted: true, atMs: 55_000 })
    expect(around.atMs).toBe(60_000)
    engine.seek(64_900)
    expect(engine.playing().wanted).toBe(true)
    engine.seek(65_100)
    expect(engine.playing().wanted).toBe(false)
    expect(around.atMs).toBeUndefined()
  })

  it('begin where the recording does', () => {
    const { engine, around } = startPlayer(58_000)
    around.play(60_000)
    expect(engine.playing()).toMatchObject({ wanted: true, atMs: 58_000 })
  })

  it('stop nothing where somebody has gone elsewhere', () => {
    const { engine, around } = startPlayer()
    around.play(60_000)
    engine.seek(10_000)
    engine.seek(66_000)
    expect(engine.playing().wanted).toBe(true)
    around.play(60_000)
    engine.seek(90_000)
    expect(engine.playing().wanted).toBe(true)
  })

  it('are those of the newest place that was asked for', () => {
    const { engine, around } = startPlayer()
    around.play(60_000)
    around.play(63_000)
    engine.seek(66_000)
    expect(engine.playing().wanted).toBe(true)
    engine.seek(68_500)
    expect(engine.playing().wanted).toBe(false)
  })
})
