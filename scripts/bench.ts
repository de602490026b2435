// Runs every bench and writes docs/benchmarks.md. `npm run bench -- ingest upload` runs only those, and writes nothing.
import { writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { agent } from '../agent/bench/agent.ts'
import { backlog } from '../agent/bench/backlog.ts'
import { window } from '../agent/bench/window.ts'
import { compositions } from '../server/bench/compositions.ts'
import { getSession } from '../server/bench/get-session.ts'
import type { Bench, Figure } from '../server/bench/harness.ts'
import { ingest } from '../server/bench/ingest.ts'
import { ingestPostgres } from '../server/bench/ingest-postgres.ts'
import { listReads } from '../server/bench/list-reads.ts'
import { lists } from '../server/bench/lists.ts'
import { pages } from '../server/bench/pages.ts'
import { presence } from '../server/bench/presence.ts'
import { routing } from '../server/bench/routing.ts'
import { sse } from '../server/bench/sse.ts'
import { upload } from '../server/bench/upload.ts'
import { webhooks } from '../server/bench/webhooks.ts'

const benches: Record<string, Bench> = {
  ingest,
  'ingest-postgres': ingestPostgres,
  'get-session': getSession,
  routing,
  upload,
  webhooks,
  sse,
  lists: listReads,
  'far-list': lists,
  compositions,
  presence,
  pages,
  agent,
  backlog,
  window,
}

const line = (figure: Figure): string => {
  const ratio = figure.ratio === undefined ? '' : figure.ratio.toFixed(2)
  const verdict = figure.goal === undefined ? '' : `${figure.goal}${figure.met ? ', met' : ', **missed**'}`
  return `| ${figure.name} | ${figure.value} | ${figure.baseline ?? ''} | ${ratio} | ${verdict} |`
}

const section = (bench: Bench, figures: readonly Figure[]): string =>
  [
    `## ${bench.name}`,
    '',
    bench.what,
    '',
    '| figure | ours | baseline | ratio | goal |',
    '| --- | --- | --- | --- | --- |',
    ...figures.map(line),
    '',
  ].join('\n')

const wanted = process.argv.slice(2)
const unknown = wanted.filter((name) => !(name in benches))
if (unknown.length > 0) {
  console.error(`there is no bench ${unknown.join(', ')}; there are ${Object.keys(benches).join(', ')}`)
  process.exit(2)
}
const sections: string[] = []
for (const [name, bench] of Object.entries(benches)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue
  console.error(`${name} …`)
  const text = section(bench, await bench.run())
  console.log(text)
  sections.push(text)
}
if (wanted.length === 0) {
  const head = `# Benchmarks\n\nWritten by \`npm run bench\` on ${cpus().length} cores (${cpus()[0]?.model ?? 'unknown'}), Node ${process.version}. Ratios compare with a baseline of the same run; absolute figures belong to that machine.\n`
  writeFileSync(join(import.meta.dirname, '../docs/benchmarks.md'), `${head}\n${sections.join('\n')}`)
}
