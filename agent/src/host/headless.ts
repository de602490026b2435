/** The agent without a window: `npm run agent -- --server URL --join CODE`. */
import { readFileSync } from 'node:fs'
import { runHeadless } from './run-headless.ts'

const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string }
const stop = new AbortController()
const leave = new AbortController()

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => (stop.signal.aborted ? leave : stop).abort())
}

process.exitCode = await runHeadless(process.argv.slice(2), {
  input: process.stdin,
  output: process.stdout,
  stop: stop.signal,
  leave: leave.signal,
  version: manifest.version,
})
// A terminal that was asked keeps the process alive.
process.stdin.unref?.()
