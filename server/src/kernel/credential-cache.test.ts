import { expect, it } from 'vitest'
import { createManualClock } from '../platform/manual-clock.test-support.ts'
import { createCredentialCache } from './credential-cache.ts'

const found = { actor: { kind: 'anonymous', id: 'x' }, until: Number.POSITIVE_INFINITY } as const

const alone = (): void => undefined

it('keeps what was found for two seconds', () => {
  const clock = createManualClock()
  const cache = createCredentialCache(clock, alone)
  expect(cache.get('a')).toBeUndefined()
  cache.set('a', found, cache.stamp())
  clock.advance(1999)
  expect(cache.get('a')).toBe(found)
  clock.advance(1)
  expect(cache.get('a')).toBeUndefined()
})

it('forgets everything when cleared, and does not take what was looked up before that', () => {
  const cache = createCredentialCache(createManualClock(), alone)
  const before = cache.stamp()
  cache.set('a', found, before)
  cache.clear()
  expect(cache.get('a')).toBeUndefined()
  cache.set('a', found, before)
  expect(cache.get('a')).toBeUndefined()
  cache.set('a', found, cache.stamp())
  expect(cache.get('a')).toBe(found)
})

it('does not grow without end', () => {
  const cache = createCredentialCache(createManualClock(), alone)
  for (let n = 0; n <= 10_000; n++) cache.set(String(n), found, cache.stamp())
  expect(cache.get('0')).toBeUndefined()
  expect(cache.get('10000')).toBe(found)
})

it('tells the others of what was cleared, and of nothing else', () => {
  let told = 0
  const cache = createCredentialCache(createManualClock(), () => {
    told += 1
  })
  cache.set('a', found, cache.stamp())
  cache.forget()
  expect(cache.get('a')).toBeUndefined()
  expect(told).toBe(0)
  cache.clear()
  expect(told).toBe(1)
})
