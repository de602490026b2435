import type { Costs, Habits, Prices } from './model.ts'

/**
 * Measured on 26 November 2026 by `server/bench/growth.ts --engine=postgres`, on two idle cores that the agent has its share of: the mean
 * of three interviews. 993 events of 1.2 kB end with their retention.
 */
export const costs: Costs = {
  serverSeconds: 7.8,
  databaseSeconds: 3.4,
  objects: 990,
  objectBytes: 15.7e6,
  endingBytes: 1.2e6,
  stayingBytes: 4.7e6,
}

/** Assumed. Evidence is kept for 90 days unless somebody chooses otherwise, and events are. */
export const habits: Habits = {
  busiestHour: 0.2,
  busyShare: 0.5,
  hoursOfOne: 0.75,
  retentionDays: 90,
  years: 1,
  largestDatabase: 64,
  largestDisk: 16_000,
  socketsOfProcess: 5000,
  mostFiles: 2e7,
}

/**
 * Assumed: about what large clouds ask for machines rented by the hour, in round numbers of early 2025 and from memory, not
 * looked up. Put your own here.
 */
export const prices: Prices = {
  core: 35,
  databaseGigabyte: 0.1,
  objectGigabyte: 0.023,
  thousandPuts: 0.005,
}

export const steps = [100, 10_000, 1_000_000] as const
