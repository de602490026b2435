/** What one interview of 45 minutes costs, as `server/bench/growth.ts` measures it. */
export interface Costs {
  /** Processor seconds of the server, and of Postgres beside it. */
  readonly serverSeconds: number
  readonly databaseSeconds: number
  /** Objects, and their bytes as they are in the store. */
  readonly objects: number
  readonly objectBytes: number
  /** Of the database: what ends with the retention of events, and what stays for good. */
  readonly endingBytes: number
  readonly stayingBytes: number
}

/** What the operator decides, and how a day looks. */
export interface Habits {
  /** Share of a day's interviews that run in its busiest hour. */
  readonly busiestHour: number
  /** So busy a core may be then; the rest is for what is not even. */
  readonly busyShare: number
  readonly hoursOfOne: number
  readonly retentionDays: number
  /** For how long the bytes that stay have gathered. */
  readonly years: number
  /** Processor cores of the largest Postgres machine that is worth renting. */
  readonly largestDatabase: number
  /** Gigabytes that such a machine can be restored with in a night. */
  readonly largestDisk: number
  readonly socketsOfProcess: number
  /** Files on a local disk that an operator wants to look after. */
  readonly mostFiles: number
}

/** Dollars: for a month, except those for a thousand objects that are put. */
export interface Prices {
  readonly core: number
  readonly databaseGigabyte: number
  readonly objectGigabyte: number
  readonly thousandPuts: number
}

export interface Need {
  readonly perDay: number
  /** Interviews at the same time in the busiest hour. */
  readonly atOnce: number
  readonly serverCores: number
  /** A standby beside the first one is counted. */
  readonly databaseCores: number
  /** Machines that the rows are divided over. */
  readonly shards: number
  readonly databaseGigabytes: number
  readonly objectTerabytes: number
  readonly objectStore: boolean
  readonly dollars: number
}

const daysOfMonth = 30.4
const giga = 1e9

/** What so many interviews a day need. */
export const needOf = (perDay: number, costs: Costs, habits: Habits, prices: Prices): Need => {
  const busiest = perDay * habits.busiestHour
  const coresFor = (seconds: number): number => (busiest * seconds) / 3600 / habits.busyShare
  const atOnce = Math.ceil(busiest * habits.hoursOfOne)
  // An agent has one socket, and a session two places.
  const bySockets = Math.ceil(atOnce / habits.socketsOfProcess)
  const serverCores = Math.max(1, bySockets, Math.ceil(coresFor(costs.serverSeconds)))
  const keptDays = habits.retentionDays
  const objects = perDay * keptDays * costs.objects
  const objectStore = objects > habits.mostFiles
  const objectTerabytes = (perDay * keptDays * costs.objectBytes) / 1e12
  const databaseGigabytes = (perDay * (keptDays * costs.endingBytes + habits.years * 365 * costs.stayingBytes)) / giga
  const busyCores = Math.ceil(coresFor(costs.databaseSeconds))
  const bySize = Math.ceil(databaseGigabytes / habits.largestDisk)
  const shards = Math.max(1, Math.ceil(busyCores / habits.largestDatabase), bySize)
  const primaryCores = Math.max(shards, busyCores)
  // One that serves one machine alone needs no standby of its database: its backup is enough.
  const databaseCores = objectStore ? 2 * primaryCores : primaryCores
  const copies = objectStore ? 2 : 1
  const bytes = objectTerabytes * 1000 * (objectStore ? prices.objectGigabyte : prices.databaseGigabyte)
  const puts = objectStore ? ((perDay * daysOfMonth * costs.objects) / 1000) * prices.thousandPuts : 0
  const dollars =
    (serverCores + databaseCores) * prices.core + databaseGigabytes * copies * prices.databaseGigabyte + bytes + puts
  return {
    perDay,
    atOnce,
    serverCores,
    databaseCores,
    shards,
    databaseGigabytes,
    objectTerabytes,
    objectStore,
    dollars,
  }
}

const whole = (n: number): string => Math.round(n).toLocaleString('en')
const two = (n: number): string => (n >= 10 ? whole(n) : n.toPrecision(2))
const sizeOf = (gigabytes: number): string =>
  gigabytes < 1000 ? `${two(gigabytes)} GB` : `${two(gigabytes / 1000)} TB`

/** The table of docs/scaling.md. */
export const tableOf = (needs: readonly Need[]): string =>
  [
    '| interviews a day | at once | server cores | Postgres cores | shards | database after a year | evidence at 90 days | dollars a month | an interview |',
    '|---|---|---|---|---|---|---|---|---|',
    ...needs.map((need) =>
      [
        '',
        whole(need.perDay),
        whole(need.atOnce),
        whole(need.serverCores),
        whole(need.databaseCores),
        whole(need.shards),
        sizeOf(need.databaseGigabytes),
        `${sizeOf(need.objectTerabytes * 1000)} ${need.objectStore ? 'in an object store' : 'on its disk'}`,
        whole(need.dollars),
        (need.dollars / (need.perDay * daysOfMonth)).toFixed(3),
        '',
      ]
        .join(' | ')
        .trim(),
    ),
  ].join('\n')
