// Runs every bench, each in a process of its own, and renews its section of docs/benchmarks.md: of three whole runs of each the
// median one, and how far apart they were. Machine and day are in the head of that page, by hand. `npm run bench -- ingest
// upload` runs only those, and writes nothing but with `--write`. `--runs=1` runs each once.
import { fork } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Figure } from '../server/bench/harness.ts'
import { benchNames, type RunFigures } from './bench-one.ts'
import { replaceSections } from './bench-sections.ts'

const { options, wanted } = (() => {
  const args = process.argv.slice(2)
  return { options: args.filter((arg) => arg.startsWith('--')), wanted: args.filter((arg) => !arg.startsWith('--')) }
})()
const writes = options.includes('--write')
const runs = Number(options.map((option) => /^--runs=(\d+)$/.exec(option)?.[1] ?? 'unknown')[0] ?? 3)
const unknown = wanted.filter((name) => !benchNames.includes(name))
if (unknown.length > 0 || !(runs >= 1)) {
  console.error(`there are ${benchNames.join(', ')}, and --runs=N and --write`)
  process.exit(2)
}

/** One whole run; nothing that a bench leaves in its process is there for the next one. */
const run = (name: string): Promise<RunFigures> =>
  new Promise((resolve, reject) => {
    const child = fork(join(import.meta.dirname, 'bench-one.ts'), [name])
    let told: RunFigures | undefined
    child.once('message', (message) => {
      told = message as RunFigures
    })
    child.once('exit', (code) => (told ? resolve(told) : reject(new Error(`${name} ended with ${code}`))))
  })

/** What runs are put in order by. */
const numberOf = ({ ratio, value }: Figure): number => ratio ?? Number.parseFloat(value.replaceAll(',', ''))

const cell = (figure: Figure, all: readonly Figure[]): string => {
  if (all.length === 1) return ''
  const sorted = all.map(numberOf).sort((a, b) => a - b)
  const show = (n: number) => (figure.ratio === undefined ? Math.round(n * 10) / 10 : n.toFixed(2)).toLocaleString('en')
  return `${show(sorted[0] ?? Number.NaN)} to ${show(sorted.at(-1) ?? Number.NaN)}`
}

const line = (all: readonly Figure[], form: RunFigures['form']): string => {
  const figure = all.toSorted((a, b) => numberOf(a) - numberOf(b))[Math.floor(all.length / 2)]
  if (!figure) return ''
  const ratio = figure.ratio === undefined ? '' : figure.ratio.toFixed(2)
  const goal = figure.goal === undefined ? '' : `${figure.goal}${figure.met ? ', met' : ', **missed**'}`
  if (form === 'before') return `| ${figure.name} | ${figure.baseline ?? ''} | ${figure.value} | ${goal} |`
  return `| ${figure.name} | ${figure.value} | ${figure.baseline ?? ''} | ${ratio} | ${cell(figure, all)} | ${goal} |`
}

const heads = {
  before: ['| what | before | ours | goal |', '| --- | --- | --- | --- |'],
  compared: ['| figure | ours | baseline | ratio | spread | goal |', '| --- | --- | --- | --- | --- | --- |'],
} as const

/** Figures are matched by their place: some names hold a count that differs from run to run. */
const section = (all: readonly RunFigures[]): string => {
  const [first] = all
  if (!first) return ''
  const disk = all.map(({ syncMs }) => syncMs).sort((a, b) => a - b)[Math.floor(all.length / 2)] ?? Number.NaN
  return [
    `## ${first.name}`,
    '',
    all.length === 1 ? `${first.what} One run with Node ${process.version}.` : first.what,
    '',
    ...heads[first.form ?? 'compared'],
    ...first.figures.map((_figure, n) =>
      line(
        all.flatMap(({ figures }) => figures[n] ?? []),
        first.form,
      ),
    ),
    first.form === 'before'
      ? `| the disk meanwhile: fdatasync of 4 KiB, median | | ${disk.toFixed(2)} ms | |`
      : `| the disk meanwhile: fdatasync of 4 KiB, median | ${disk.toFixed(2)} ms | | | | |`,
    '',
  ].join('\n')
}

const sections: string[] = []
for (const name of benchNames) {
  if (wanted.length > 0 && !wanted.includes(name)) continue
  const all: RunFigures[] = []
  for (let n = 1; n <= runs; n += 1) {
    console.error(`${name}, run ${n} of ${runs} …`)
    all.push(await run(name))
  }
  const text = section(all)
  console.log(text)
  sections.push(text)
}
const path = join(import.meta.dirname, '../docs/benchmarks.md')
if (wanted.length === 0 || writes) writeFileSync(path, replaceSections(readFileSync(path, 'utf8'), sections))
