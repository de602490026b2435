import { beforeEach, describe, expect, it } from 'vitest'
import { ManualClock } from '../../shared/test-support/manual-clock.ts'
import type { QueuedItem } from '../spool/types.ts'
import { PackChoice } from './pack-choice.ts'

const MiB = 1024 ** 2

let clock: ManualClock
let choice: PackChoice
beforeEach(() => {
  clock = new ManualClock()
  choice = new PackChoice(clock)
})

const item = (n: number, more: Partial<QueuedItem> = {}): QueuedItem => ({
  clientId: `item-${n}`,
  kind: 'screenshot',
  lane: 'screen',
  sequence: n,
  capturedAt: n,
  displayId: '',
  sizeBytes: 100_000,
  fileBytes: 100_100,
  sha256: '',
  state: 'queued',
  attempts: 0,
  uploadId: undefined,
  ...more,
})
const items = (count: number, more: Partial<QueuedItem> = {}) => Array.from({ length: count }, (_, n) => item(n, more))
const chosen = (due: readonly QueuedItem[]) => {
  const found = choice.choose(due)
  return found && [found.kind, ...found.items.map(({ sequence }) => sequence)]
}
/** What there is at the beginning goes at once. */
const begun = (): void => {
  expect(chosen([item(99)])).toEqual(['pack', 99])
}

describe('what goes together', () => {
  it('is everything that waits at the beginning, then what came together in 41 seconds', () => {
    begun()
    expect(chosen(items(1))).toBeUndefined()
    clock.advance(40_999)
    expect(chosen(items(3))).toBeUndefined()
    clock.advance(1)
    expect(chosen(items(3))).toEqual(['pack', 0, 1, 2])
    expect(chosen([item(4)])).toBeUndefined()
  })

  it('is 2 MiB at the most, and does not wait for more', () => {
    begun()
    expect(chosen(items(19))).toBeUndefined()
    const found = chosen(items(30))
    expect(found?.length).toBe(21)
    expect(chosen(items(2, { sizeBytes: 1.5 * MiB }))).toEqual(['pack', 0])
  })

  it('is 64 items at the most, and does not wait for more', () => {
    begun()
    expect(chosen(items(63, { sizeBytes: 10 }))).toBeUndefined()
    expect(chosen(items(70, { sizeBytes: 10 }))).toHaveLength(65)
  })

  it('waits for nothing while somebody looks on', () => {
    begun()
    choice.atOnce(clock.monotonicMs() + 5000)
    expect(chosen(items(1))).toEqual(['pack', 0])
    clock.advance(5000)
    expect(chosen(items(1))).toBeUndefined()
  })

  it('does not wait a second time after it failed', () => {
    begun()
    expect(chosen(items(2, { attempts: 1 }))).toEqual(['pack', 0, 1])
    choice.failed(false)
    expect(chosen(items(2))).toEqual(['pack', 0, 1])
  })

  it('gets smaller on a network that breaks off, and larger again', () => {
    for (let times = 0; times < 9; times += 1) choice.failed(true)
    expect(chosen(items(3, { sizeBytes: 30_000 }))).toEqual(['pack', 0, 1])
    choice.answered()
    expect(chosen(items(5, { sizeBytes: 30_000 }))).toEqual(['pack', 0, 1, 2, 3])
  })
})

describe('what goes alone', () => {
  it('is what is larger than a pack, at once, also from behind what waits', () => {
    begun()
    const large = item(5, { sizeBytes: 2 * MiB + 1 })
    expect(chosen([item(1), large])).toEqual(['alone', 5])
    expect(chosen([large, item(6)])).toEqual(['alone', 5])
  })

  it('is what failed three times, and what was begun in parts', () => {
    expect(chosen(items(2, { attempts: 3 }))).toEqual(['alone', 0])
    expect(chosen(items(2, { uploadId: 'upl_1' }))).toEqual(['alone', 0])
  })

  it('is everything where somebody on the way takes no pack, however small', () => {
    for (let times = 0; times < 5; times += 1) choice.refusedAsTooLarge()
    expect(chosen(items(2, { sizeBytes: 10 }))).toEqual(['pack', 0, 1])
    choice.refusedAsTooLarge()
    expect(chosen(items(2, { sizeBytes: 10 }))).toEqual(['alone', 0])
  })

  it('is everything at a service without packs, which is asked again after ten minutes', () => {
    choice.withoutPacks()
    expect(chosen(items(2))).toEqual(['alone', 0])
    clock.advance(599_999)
    expect(chosen(items(2))).toEqual(['alone', 0])
    clock.advance(1)
    expect(chosen(items(2))).toEqual(['pack', 0, 1])
  })
})
