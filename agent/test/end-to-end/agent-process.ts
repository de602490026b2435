/** The real agent in a process of its own, but for its eyes: what it records is made up, fast and in many kinds. */
import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs'
import { flushCompileCache } from 'node:module'
import { join } from 'node:path'
import { ScriptedLanes } from '../../src/core/session/test-support/scripted-lanes.ts'
import { readArguments } from '../../src/headless/arguments.ts'
import { runHeadless } from '../../src/headless/run-headless.ts'
import { type Clock, systemClock } from '../../src/shared/clock.ts'
import { picture, SyntheticCapture, SyntheticObservers, wave } from './synthetic-capture.ts'

const args = process.argv.slice(2)
const { dataDir } = readArguments(args)
const everyMs = Number(process.env['ITEM_EVERY_MS'] ?? 25)
const isScripted = process.env['LANES'] === 'scripted'
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

const onCaptured = (): unknown => process.stdout.write('{"type":"captured"}\n')

/** Real lanes, which account for their time, over made-up drivers that wait a tenth of what they would. */
const scriptedLanes = (): ScriptedLanes =>
  new ScriptedLanes({
    clock: { ...systemClock, sleep: (ms, signal) => systemClock.sleep(ms / haste, signal) },
    random: Math.random,
    pieceMs: 1000,
    sound: () => ({ contentType: 'audio/wav', bytes: wave() }),
    picture: async () => ({ contentType: 'image/webp', bytes: await picture() }),
    onDelivered: onCaptured,
  })

const syntheticCapture = (): SyntheticCapture =>
  new SyntheticCapture({ everyMs, filmOdds, onMade: (sha256) => made.add(sha256), onCaptured })

mkdirSync(dataDir, { recursive: true, mode: 0o700 })
const made = openLines('made.txt')
const observed = openLines('observed.txt')
process.exitCode = await runHeadless(args, {
  input: process.stdin,
  output: process.stdout,
  stop: stop.signal,
  leave: new AbortController().signal,
  // Lanes and session go by one clock, as they do outside a test.
  clock: isScripted ? systemClock : hastyClock,
  capture: isScripted ? scriptedLanes() : syntheticCapture(),
  observers: new SyntheticObservers({ everyMs, onDurable: (mark) => observed.add(mark) }),
  version: '0.0.0-test',
})
made.close()
observed.close()
