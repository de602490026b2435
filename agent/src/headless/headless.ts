/** The agent without a window: `npm run agent -- --server URL --join CODE`. */
import { readFileSync } from 'node:fs'
import { runHeadless } from './run-headless.ts'

/** A terminal and a script that passes signals on both send the first one; only a later one is a second wish. */
const sameWishMs = 1000

const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string }
const stop = new AbortController()
const leave = new AbortController()
let stoppedAt = 0

const onSignal = (): void => {
  if (!stop.signal.aborted) {
    stoppedAt = performance.now()
    stop.abort()
  } else if (performance.now() - stoppedAt > sameWishMs) {
    leave.abort()
  }
}
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, onSignal)

process.exitCode = await runHeadless(process.argv.slice(2), {
  input: process.stdin,
  output: process.stdout,
  stop: stop.signal,
  leave: leave.signal,
  version: manifest.version,
})
// A terminal that was asked would keep the process alive.
process.stdin.unref?.()
