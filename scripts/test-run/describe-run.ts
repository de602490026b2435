import { relative } from 'node:path'
import type { StreamRun } from './run-vitest.ts'

const longestShown = 10
const whole = (seconds: number): string => `${Math.round(seconds)} s`

const describeStream = ({ stream, beganAfter, seconds, notes, report }: StreamRun): string => {
  const processorSeconds = notes?.processorSeconds ?? undefined
  const files = report?.testResults ?? []
  const began = beganAfter >= 1 ? `, began after ${whole(beganAfter)}` : ''
  const tests = files.reduce((sum, { assertionResults }) => sum + assertionResults.length, 0)
  const counts = `${files.length} files, ${tests} tests`
  if (processorSeconds === undefined) return `  ${stream.name}: ${counts} in ${whole(seconds)}${began}`
  // Two files at a time: what they had and did not use of that, they waited, for each other's processor too.
  const waited = Math.max(0, 2 * seconds - processorSeconds)
  const used = `${whole(processorSeconds)} of processor`
  return `  ${stream.name}: ${counts} in ${whole(seconds)}${began}; ${used}, ${whole(waited)} of two workers' time waiting for ${stream.waitsFor}, or for a processor`
}

/** Where a run's time went, its streams and its longest files, then what passed only at a second try. Lines for a reader. */
export const describeRun = (runs: readonly StreamRun[], root: string): string[] => {
  const files = runs.flatMap(({ stream, report }) =>
    (report?.testResults ?? []).map(({ name, startTime, endTime }) => ({
      stream: stream.name,
      name: relative(root, name),
      seconds: (endTime - startTime) / 1000,
    })),
  )
  const longest = files.toSorted((a, b) => b.seconds - a.seconds).slice(0, longestShown)
  return [
    'Streams:',
    ...runs.map(describeStream),
    'Longest files:',
    ...longest.map(({ stream, name, seconds }) => `  ${whole(seconds).padStart(6)}  ${stream.padEnd(8)}  ${name}`),
    ...runs.flatMap(({ notes }) => notes?.secondTries ?? []).map((name) => `PASSED ONLY AT A SECOND TRY: ${name}`),
  ]
}
