#!/usr/bin/env node
import { run } from './run.ts'

const stop = new AbortController()
process.once('SIGINT', () => stop.abort()).once('SIGTERM', () => stop.abort())
process.exitCode = await run(process.argv.slice(2), {
  env: process.env,
  out: (line) => process.stdout.write(`${line}\n`),
  err: (line) => process.stderr.write(`${line}\n`),
  signal: stop.signal,
})
