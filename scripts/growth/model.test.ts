import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { costs, habits, prices, steps } from './costs.ts'
import { needOf, tableOf } from './model.ts'

const plain = {
  costs: {
    serverSeconds: 36,
    databaseSeconds: 18,
    objects: 1000,
    objectBytes: 1e6,
    endingBytes: 1000,
    stayingBytes: 100,
  },
  habits: {
    busiestHour: 0.1,
    busyShare: 0.5,
    hoursOfOne: 0.5,
    retentionDays: 10,
    years: 1,
    largestDatabase: 4,
    largestDisk: 1e9,
    socketsOfProcess: 100,
    mostFiles: 1e6,
  },
  prices: { core: 10, databaseGigabyte: 1, objectGigabyte: 0.1, thousandPuts: 0.01 },
}
const need = (perDay: number, changed: Partial<typeof plain> = {}) => {
  const of = { ...plain, ...changed }
  return needOf(perDay, of.costs, of.habits, of.prices)
}

describe('what interviews a day need', () => {
  it('follows from the busiest hour, in which a core is half busy', () => {
    // 10,000 a day are 1,000 in that hour: 36,000 s of work in 3,600 s are 10 cores, and twice as many half busy.
    expect(need(10_000)).toMatchObject({ atOnce: 500, serverCores: 20, databaseCores: 20, shards: 3 })
  })

  it('is one core at least, and as many processes as hold the sockets', () => {
    expect(need(1)).toMatchObject({ atOnce: 1, serverCores: 1, databaseCores: 1, shards: 1 })
    const idle = { costs: { ...plain.costs, serverSeconds: 0 } }
    expect(need(100_000, idle).serverCores).toBe(50)
  })

  it('divides a database that is too large, though its cores would be enough', () => {
    const small = { habits: { ...plain.habits, largestDisk: 0.01 } }
    expect(need(1000, small)).toMatchObject({ shards: 5, databaseCores: 10 })
  })

  it('keeps what ends for the days of retention, and what stays for the years', () => {
    expect(need(1000).databaseGigabytes).toBeCloseTo((1000 * (10 * 1000 + 365 * 100)) / 1e9, 12)
    expect(need(1000).objectTerabytes).toBeCloseTo(0.01, 12)
  })

  it('takes an object store, and a standby, where there would be too many files', () => {
    expect(need(100)).toMatchObject({ objectStore: false, databaseCores: 1 })
    expect(need(101)).toMatchObject({ objectStore: true, databaseCores: 2 })
  })

  it('costs cores, disk, objects, and each object that is put', () => {
    const { dollars } = need(1000)
    const disk = need(1000).databaseGigabytes * 2
    expect(dollars).toBeCloseTo((2 + 2) * 10 + disk + 10 * 0.1 + 30.4 * 1000 * 0.01, 6)
  })
})

it('docs/scaling.md shows what the model says of what was measured', () => {
  const text = readFileSync(new URL('../../docs/scaling.md', import.meta.url), 'utf8')
  expect(text).toContain(tableOf(steps.map((perDay) => needOf(perDay, costs, habits, prices))))
})
