/** The real agent in a process of its own, but for its eyes: what it records is made up, fast and in many kinds. */
import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs'
import { flushCompileCache } from 'node:module'
import { join } from 'node:path'
import { readArguments } from '../../src/headless/arguments.ts'
import { runHeadless } from '../../src/headless/run-headless.ts'
import { type Clock, systemClock } from '../../src/shared/clock.ts'
import { SyntheticCapture, SyntheticObservers } from './synthetic-capture.ts'

const args = process.argv.slice(2)
const { dataDir } = readArguments(args)
const everyMs = Number(process.env['ITEM_EVERY_MS'] ?? 25)
const filmOdds = Number(process.env['FILM_ODDS'] ?? 20)
const stop = new AbortController()
process.once('SIGTERM', () => stop.abort())

/** Appends synchronously: a line that was written outlives the process. */
const openLines = (name: string) => {
  const file = openSync(join(dataDir, name), 'a', 0o600)
  return { add: (line: string) => writeSync(file, `${line}\n`), close: () => closeSync(file) }
}

flushCompileCache()
/** The agent's patience passes ten times as fast: what it waits after an outage would be most of the test's time. */
const haste = 10
const hastyClock: Clock = {
  wallMs: () => systemClock.wallMs(),
  monotonicMs: () => systemClock.monotonicMs() * haste,
  sleep: (ms, signal) => systemClock.sleep(ms / haste, signal),
}

mkdirSync(dataDir, { recursive: true, mode: 0o700 })
const made = openLines('made.txt')
const observed = openLines('observed.txt')
process.exitCode = await runHeadless(args, {
  input: process.stdin,
  output: process.stdout,
  stop: stop.signal,
  leave: new AbortController().signal,
  clock: hastyClock,
  capture: new SyntheticCapture({
    everyMs,
    filmOdds,
    onMade: (sha256) => made.add(sha256),
    onCaptured: () => process.stdout.write('{"type":"captured"}\n'),
  }),
  observers: new SyntheticObservers({ everyMs, onDurable: (mark) => observed.add(mark) }),
  version: '0.0.0-test',
})
made.close()
observed.close()
