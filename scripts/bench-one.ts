// Runs one bench once, in the process that scripts/bench.ts has started for it, and tells its figures.
import { closeSync, fdatasyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { type Bench, benchFolder, type Figure, median } from '../server/bench/harness.ts'

const benches: Readonly<Record<string, () => Promise<Bench>>> = {
  interview: async () => (await import('../server/bench/interview.ts')).interview,
  ingest: async () => (await import('../server/bench/ingest.ts')).ingest,
  'ingest-postgres': async () => (await import('../server/bench/ingest-postgres.ts')).ingestPostgres,
  'get-session': async () => (await import('../server/bench/get-session.ts')).getSession,
  upload: async () => (await import('../server/bench/upload.ts')).upload,
  webhooks: async () => (await import('../server/bench/webhooks.ts')).webhooks,
  sse: async () => (await import('../server/bench/sse.ts')).sse,
  lists: async () => (await import('../server/bench/list-reads.ts')).listReads,
  memory: async () => (await import('../server/bench/busy-memory.ts')).busyMemory,
  'lists-postgres': async () => (await import('../server/bench/list-reads.ts')).listReadsPostgres,
  sweep: async () => (await import('../server/bench/sweep.ts')).sweepBench,
  compositions: async () => (await import('../server/bench/compositions.ts')).compositions,
  account: async () => (await import('../server/bench/account.ts')).account,
  desk: async () => (await import('../server/bench/desk.ts')).desk,
  traces: async () => (await import('../server/bench/traces.ts')).traces,
  agent: async () => (await import('../agent/bench/agent.ts')).agent,
  backlog: async () => (await import('../agent/bench/backlog.ts')).backlog,
  window: async () => (await import('../agent/bench/window.ts')).window,
}
export const benchNames: readonly string[] = Object.keys(benches)

export interface RunFigures {
  readonly name: string
  readonly what: string
  readonly form?: Bench['form']
  readonly figures: readonly Figure[]
  /** Median of fdatasync of 4 KiB where the benches keep their files, before and after. Milliseconds. */
  readonly syncMs: number
}

/** What a commit costs at least on this disk, appended as a log is. */
const measureDisk = (): number[] => {
  const folder = mkdtempSync(join(benchFolder(), 'disk-'))
  const file = openSync(join(folder, 'log'), 'w')
  const page = Buffer.alloc(4096, 1)
  const took = Array.from({ length: 100 }, () => {
    writeSync(file, page)
    const began = performance.now()
    fdatasyncSync(file)
    return performance.now() - began
  })
  closeSync(file)
  rmSync(folder, { recursive: true })
  return took
}

const load = benches[process.argv[2] ?? '']
if (process.send && load) {
  const before = measureDisk()
  const bench = await load()
  const figures = await bench.run()
  const syncMs = median([...before, ...measureDisk()])
  const told: RunFigures = {
    name: bench.name,
    what: bench.what,
    ...(bench.form && { form: bench.form }),
    figures,
    syncMs,
  }
  process.send(told, () => process.exit(0))
}
