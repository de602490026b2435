import { Counter, Histogram, type Registry } from '@prometheus-io/client'

const latency = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const long = [0.01, 0.1, 0.5, 1, 5, 10, 30, 60, 300, 900]
const group = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000]

const familiesOfRequests = (registers: Registry[]) => ({
  requests: new Counter({
    name: 'http_requests_total',
    help: 'Requests answered, by endpoint and status.',
    labelNames: ['endpoint', 'status'],
    registers,
  }),
  durations: new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the request line to the end of the answer.',
    labelNames: ['endpoint'],
    buckets: latency,
    registers,
  }),
  groups: new Histogram({
    name: 'db_group_size',
    help: 'Transactions that shared one commit.',
    buckets: group,
    registers,
  }),
})

const familiesOfWork = (registers: Registry[]) => ({
  deliveries: new Counter({
    name: 'deliveries_total',
    help: 'Delivery attempts, by outcome.',
    labelNames: ['outcome'],
    registers,
  }),
  deliveryDurations: new Histogram({
    name: 'delivery_duration_seconds',
    help: 'Time of one delivery attempt.',
    buckets: latency,
    registers,
  }),
  stored: new Counter({
    name: 'stored_bytes_total',
    help: 'Bytes acknowledged as stored, by kind.',
    labelNames: ['kind'],
    registers,
  }),
  outages: new Counter({
    name: 'outages_total',
    help: 'Requests and readiness checks that failed because of the disk or the database, by cause.',
    labelNames: ['cause'],
    registers,
  }),
  replicaReads: new Counter({
    name: 'replica_reads_total',
    help: 'Statements that may be read from the replica, by whether they were, or why the primary answered.',
    labelNames: ['outcome'],
    registers,
  }),
  forwarded: new Counter({
    name: 'forwarded_requests_total',
    help: 'Requests with X-Forwarded-For, by whether TRUSTED_PROXIES names the one who sent them.',
    labelNames: ['proxy'],
    registers,
  }),
  swept: new Counter({
    name: 'objects_unreferenced_swept_total',
    help: 'Objects removed because no row names them: a process was killed between the two.',
    registers,
  }),
  jobs: new Counter({
    name: 'jobs_total',
    help: 'Job runs, by kind and outcome.',
    labelNames: ['kind', 'outcome'],
    registers,
  }),
  jobDurations: new Histogram({
    name: 'job_duration_seconds',
    help: 'Time of one job run.',
    labelNames: ['kind'],
    buckets: long,
    registers,
  }),
})

/** Counters and histograms of what a process does. */
export const createFamilies = (registers: Registry[]) => ({
  ...familiesOfRequests(registers),
  ...familiesOfWork(registers),
})
