// A server whose claims are free after seconds instead of a minute when nothing is heard of it.
import { runServer } from '../../src/app/run-server.ts'

await runServer({ workers: { jobs: { leaseMs: 3000 }, deliveries: { timeoutMs: 2000, leaseMarginMs: 1000 } } })
