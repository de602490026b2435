import { collectDefaultMetrics, Gauge, Registry } from '@prometheus-io/client'
import { createFamilies } from './metric-families.ts'

const deliveryOutcomes = ['success', 'http_error', 'timeout', 'network_error', 'blocked'] as const
export type DeliveryOutcome = (typeof deliveryOutcomes)[number]
const jobOutcomes = ['done', 'retry', 'failed'] as const
export type JobOutcome = (typeof jobOutcomes)[number]
/** What alerts count of an endpoint: there from the start, as its first request may be the one that fails. */
const failures = ['500', '503', '504']

export interface Metrics {
  /** One answered request. `endpoint` is the id of a declared endpoint (a closed set), never a path. */
  request(endpoint: string, status: number, seconds: number): void
  /** Transactions that shared one COMMIT. */
  commit(groupSize: number): void
  /** One attempt to deliver an event. */
  delivery(outcome: DeliveryOutcome, seconds: number): void
  /** Bytes acknowledged as stored; `kind` from a closed set. */
  stored(kind: string, bytes: number): void
  /** Something failed because of the disk or the database; `cause` from a closed set. */
  outage(cause: string): void
  /** A statement that may be read from the replica, by where it was; `outcome` from a closed set. */
  replicaRead(outcome: string): void
  /** A request that names whom it is passed on for, by a proxy that is trusted or by somebody else. */
  forwarded(isTrusted: boolean): void
  /** An object that no row names was removed. */
  swept(): void
  /** One run of a job. */
  job(kind: string, outcome: JobOutcome, seconds: number): void
  /** Begins every series of a closed set at 0: what is born with its first failure has not grown, and no alert sees it. */
  begin(sets: {
    readonly endpoints: readonly string[]
    readonly causes: readonly string[]
    readonly storedKinds: readonly string[]
    readonly jobKinds: readonly string[]
    readonly replicaOutcomes: readonly string[]
  }): void
  /** Words about the process, as the labels of a series that is always 1. */
  info(name: string, help: string, labels: Readonly<Record<string, string>>): void
  /** A value that is read only when somebody scrapes: outbox lag, queue depth, open streams. Seconds or a number. */
  gauge(name: string, help: string, read: () => number | Promise<number>): void
  /** The text that Prometheus scrapes, and its content type. */
  render(): Promise<{ contentType: string; text: string }>
}

/** Looks a child up by key: binding the labels once keeps the hot path free of new objects. */
const memo = <T>(make: (key: string) => T): ((key: string) => T) => {
  const made = new Map<string, T>()
  return (key) => {
    const known = made.get(key)
    if (known !== undefined) return known
    const fresh = make(key)
    made.set(key, fresh)
    return fresh
  }
}

/** A scrape waits no longer than this for a value; all are read side by side. */
const scrapeWaitMs = 500
/** A value that could not be read again stands for so long. */
const standsMs = 60_000

/**
 * A value that is read again at each scrape, unless the look before has not ended: then, and when the new look takes long, the
 * last one stands, until it is too old to be told. What watches the server must answer while the database does not.
 */
const refreshedApart = (read: () => number | Promise<number>): (() => Promise<number>) => {
  let last = { value: Number.NaN, at: Number.NEGATIVE_INFINITY }
  let looking: Promise<void> | undefined
  const look = async (): Promise<void> => {
    const value = await (async () => read())().catch(() => Number.NaN)
    last = { value, at: performance.now() }
    looking = undefined
  }
  return async () => {
    looking ??= look()
    let timer: NodeJS.Timeout | undefined
    const enough = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, scrapeWaitMs).unref()
    })
    await Promise.race([looking, enough])
    clearTimeout(timer)
    return performance.now() - last.at > standsMs ? Number.NaN : last.value
  }
}

/** Gauges of this registry that are read when they are asked for. */
const gaugesIn =
  (registry: Registry): Metrics['gauge'] =>
  (name, help, read) => {
    const latest = refreshedApart(read)
    const gauge: Gauge = new Gauge({
      name,
      help,
      registers: [registry],
      // What cannot be read now must not take the other metrics with it: they are what tells why.
      collect: async () => gauge.set(await latest()),
    })
  }

/**
 * Counters in a registry of their own (no module-level one, so that several services can live in one process).
 * `processMetrics` adds memory, CPU, event-loop lag and garbage collection of this process.
 */
export interface MetricsOptions {
  readonly processMetrics?: boolean
  /** Told of each request, too. */
  readonly onRequest?: Metrics['request'] | undefined
}

export const createMetrics = ({ processMetrics = true, onRequest }: MetricsOptions = {}): Metrics => {
  const registry = new Registry()
  const families = createFamilies([registry])
  if (processMetrics) collectDefaultMetrics({ register: registry })

  const byEndpoint = memo((endpoint) => {
    const count = memo((status) => families.requests.labels({ endpoint, status }))
    return { duration: families.durations.labels({ endpoint }), count }
  })
  const byOutcome = memo((outcome) => families.deliveries.labels({ outcome }))
  const byStored = memo((kind) => families.stored.labels({ kind }))
  const byProxy = memo((proxy) => families.forwarded.labels({ proxy }))
  for (const proxy of ['trusted', 'unknown']) byProxy(proxy).inc(0)
  const byJob = memo((kind) => ({
    duration: families.jobDurations.labels({ kind }),
    count: memo((outcome) => families.jobs.labels({ kind, outcome })),
  }))

  return {
    request(endpoint, status, seconds) {
      const child = byEndpoint(endpoint)
      child.duration.observe(seconds)
      child.count(String(status)).inc()
      onRequest?.(endpoint, status, seconds)
    },
    commit: (groupSize) => families.groups.observe(groupSize),
    delivery(outcome, seconds) {
      byOutcome(outcome).inc()
      families.deliveryDurations.observe(seconds)
    },
    begin({ endpoints, causes, storedKinds, jobKinds, replicaOutcomes }) {
      for (const endpoint of endpoints) for (const status of failures) families.requests.inc({ endpoint, status }, 0)
      for (const kind of storedKinds) byStored(kind).inc(0)
      for (const outcome of replicaOutcomes) families.replicaReads.inc({ outcome }, 0)
      for (const cause of causes) families.outages.inc({ cause }, 0)
      for (const outcome of deliveryOutcomes) byOutcome(outcome).inc(0)
      for (const kind of jobKinds) for (const outcome of jobOutcomes) byJob(kind).count(outcome).inc(0)
    },
    replicaRead: (outcome) => families.replicaReads.inc({ outcome }),
    outage: (cause) => families.outages.inc({ cause }),
    forwarded: (isTrusted) => byProxy(isTrusted ? 'trusted' : 'unknown').inc(),
    swept: () => families.swept.inc(),
    stored: (kind, bytes) => byStored(kind).inc(bytes),
    job(kind, outcome, seconds) {
      const child = byJob(kind)
      child.duration.observe(seconds)
      child.count(outcome).inc()
    },
    info: (name, help, labels) =>
      new Gauge({ name, help, labelNames: Object.keys(labels), registers: [registry] }).set(labels, 1),
    gauge: gaugesIn(registry),
    render: async () => ({ contentType: registry.contentType, text: await registry.metrics() }),
  }
}
