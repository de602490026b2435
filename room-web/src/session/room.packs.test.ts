import { describe, expect, it } from 'vitest'
import { Tab } from '../../test/room-under-test.ts'

const tenSeconds = 10_000

const gathering = async (): Promise<Tab> => {
  const tab = new Tab()
  tab.gatherMs = 20_000
  await tab.toLive()
  return tab
}

describe('pictures on their way', () => {
  it('go together once the oldest has waited, but for the first, which is sent at once', async () => {
    const tab = await gathering()
    expect(tab.service.packs).toEqual([1])
    for (let waiting = 1; waiting <= 2; waiting += 1) {
      tab.time.advance(tenSeconds)
      await tab.waiting(waiting)
    }
    expect(tab.service.packs).toEqual([1])
    tab.time.advance(tenSeconds)
    await tab.state('live', ({ sending }) => sending.progress.sent >= 3)
    expect(tab.service.packs[1]).toBeGreaterThanOrEqual(2)
  })

  it('wait for nothing when the person stops', async () => {
    const tab = await gathering()
    tab.time.advance(tenSeconds)
    await tab.waiting(1)
    tab.room.stop()
    await tab.state('done')
    expect([tab.service.packs, tab.service.stills.size]).toEqual([[1, 1], 2])
  })

  it('go one by one, and at once, to a service without packs', async () => {
    const tab = new Tab()
    tab.gatherMs = 20_000
    tab.service.hasPacks = false
    await tab.toLive()
    tab.time.advance(tenSeconds)
    await tab.sent(2)
    expect(tab.service.stills.size).toBe(2)
    // The first was tried in a pack.
    expect(tab.service.sends).toBe(3)
  })

  it('that wait from before a reload are sent at once', async () => {
    const tab = await gathering()
    tab.time.advance(tenSeconds)
    await tab.waiting(1)
    await tab.reload()
    await tab.state('live', ({ sending }) => sending.progress.sent >= 2)
    expect(tab.service.packs.length).toBeGreaterThan(1)
  })
})
