import { expect, it } from 'vitest'
import { createManualClock } from '../platform/manual-clock.test-support.ts'
import { createCredentialCache } from './credential-cache.ts'

const found = { actor: { kind: 'anonymous', id: 'x' }, until: Number.POSITIVE_INFINITY } as const

it('keeps what was found for two seconds', () => {
  const clock = createManualClock()
  const cache = createCredentialCache(clock)
  expect(cache.get('a')).toBeUndefined()
  cache.set('a', found, cache.stamp())
  clock.advance(1999)
  expect(cache.get('a')).toBe(found)
  clock.advance(1)
  expect(cache.get('a')).toBeUndefined()
})

it('forgets everything when cleared, and does not take what was looked up before that', () => {
  const cache = createCredentialCache(createManualClock())
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
  const cache = createCredentialCache(createManualClock())
  for (let n = 0; n <= 10_000; n++) cache.set(String(n), found, cache.stamp())
  expect(cache.get('0')).toBeUndefined()
  expect(cache.get('10000')).toBe(found)
})
