import { expect, it } from 'vitest'
import { waitsSayHowLong } from './short-waits.ts'

const found = (text: string) =>
  waitsSayHowLong.find([{ path: 'companion/src/session/live.test.ts', text }]).map(({ message }) => message)

it('finds a wait that ends after the second of the test runner', () => {
  for (const text of [
    'await vi.waitFor(() => expect(told).toEqual([1]))',
    'await vi.waitUntil(() => told.length > 0, { interval: 1 })',
    'const on = () => vi.waitFor(() => {\n  check()\n})',
  ])
    expect(found(text), text).toEqual(['1 × vi.waitFor without a timeout'])
})

it('leaves a wait that says how long, and one that its project bounds', () => {
  for (const text of [
    'await vi.waitFor(check, { timeout: 20_000, interval: 50 })',
    'const until = (check, timeout = 60_000) => vi.waitFor(check, { timeout })',
    'await expect.poll(() => told).toEqual([1])',
    'await page.getByText("Done").waitFor()',
  ])
    expect(found(text), text).toEqual([])
})
