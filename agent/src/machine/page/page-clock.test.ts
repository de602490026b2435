import { describe, expect, it } from 'vitest'
import { manualClock } from '../../../test/test-support/manual-clock.ts'
import { createServiceClock } from '../../shared/service-clock.ts'
import { PageClock } from './page-clock.ts'

const wall = 1_800_000_000_000
/** The page's clock runs an hour ahead of ours. */
const ahead = 3_600_000

describe('the clock of the page', () => {
  it('is measured by the quickest ping, and gives our time for its own', async () => {
    const clock = manualClock(wall)
    const page = new PageClock(clock)
    page.begin()
    page.ping(0, wall + ahead + 90, 100)
    page.ping(100, wall + ahead + 105, 110)
    page.ping(110, wall + ahead + 150, 190)
    await clock.advance(1000)
    expect(page.toLocal(wall + ahead + 400)).toEqual({ at: wall + 400, mono: 400, offsetMs: -ahead })
  })

  it('never gives a time to come', async () => {
    const clock = manualClock(wall)
    const page = new PageClock(clock)
    page.ping(0, wall, 0)
    expect(page.toLocal(wall + 500)).toMatchObject({ at: wall, mono: 0 })
  })

  it('follows our wall clock when it is set by hand', async () => {
    const clock = manualClock(wall)
    const page = new PageClock(clock)
    page.ping(0, wall, 0)
    await clock.advance(1000)
    clock.jumpWall(60_000)
    expect(page.toLocal(wall + 800)).toEqual({ at: wall + 60_800, mono: 800, offsetMs: 60_000 })
  })

  it("gives the service's time where that is what is recorded by, and is measured against the computer's", async () => {
    const clock = manualClock(wall)
    const service = createServiceClock(clock)
    const page = new PageClock(clock)
    page.ping(0, wall + ahead, 0)
    await clock.advance(1000)
    service.correct(wall - 5000, 1000, 0)
    expect(page.toLocal(wall + ahead + 800, service)).toEqual({ at: wall - 5200, mono: 800, offsetMs: -ahead })
  })

  it('is set anew when it stood still, as that of a page does on a suspended machine', async () => {
    const clock = manualClock(wall)
    const page = new PageClock(clock)
    page.ping(0, wall, 0)
    await clock.advance(10_000)
    expect(page.observe(9000, wall + 9900, 10_000)).toBe(true)
    expect(page.observe(9990, wall + 4000, 10_000)).toBe(false)
    expect(page.toLocal(wall + 4000).mono).toBe(9995)
    expect(page.observe(9990, wall + 4001, 10_000)).toBe(true)
  })

  it('says how long ago it was measured', async () => {
    const clock = manualClock(wall)
    const page = new PageClock(clock)
    expect(page.ageMs).toBe(Number.POSITIVE_INFINITY)
    page.begin()
    await clock.advance(7000)
    expect(page.ageMs).toBe(7000)
  })
})
