import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { parentIsGone } from './parent.mjs'

const signals = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])
// Long enough for a server to drain; then it has had its chance.
const graceMs = 30_000
const sameSignalWithinMs = 500

/**
 * Runs a program with this process's own streams, passes signals on, and stops it when the process that started this one is
 * gone: `npm` runs scripts through `sh -c`, which swallows SIGTERM, and would otherwise leave a server behind.
 * @param {string} program
 * @param {string[]} args
 * @param {{ cwd: string, env: NodeJS.ProcessEnv }} options
 * @returns {Promise<number>} its exit code, or 128 plus the signal's number
 */
export const supervise = (program, args, options) =>
  new Promise((resolve, reject) => {
    const child = spawn(program, args, { ...options, stdio: 'inherit' })
    /** @type {NodeJS.Timeout | undefined} */
    let kill
    const stop = (/** @type {NodeJS.Signals} */ signal) => {
      child.kill(signal)
      kill ??= setTimeout(() => child.kill('SIGKILL'), graceMs).unref()
    }

    const forwarders = signals.map((signal) => ({ signal, forward: forwarder(signal, stop) }))
    for (const { signal, forward } of forwarders) process.on(signal, forward)

    const watch = setInterval(() => {
      if (!parentIsGone()) return
      clearInterval(watch)
      stop('SIGTERM')
    }, 250)

    const finish = () => {
      clearInterval(watch)
      clearTimeout(kill)
      for (const { signal, forward } of forwarders) process.removeListener(signal, forward)
    }
    child.once('error', (problem) => {
      finish()
      reject(problem)
    })
    child.once('exit', (code, signal) => {
      finish()
      resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal]))
    })
  })

/**
 * A terminal sends Ctrl-C to the whole group, so the child has had the first SIGINT already; and npm repeats what it gets.
 * A program that takes a second signal for "at once" must not see one press as two.
 * @param {NodeJS.Signals} signal
 * @param {(signal: NodeJS.Signals) => void} send
 */
const forwarder = (signal, send) => {
  let last = Number.NEGATIVE_INFINITY
  let groupHasIt = signal === 'SIGINT' && process.stdin.isTTY === true
  return () => {
    const now = performance.now()
    const repeated = now - last < sameSignalWithinMs
    last = now
    if (repeated) return
    if (groupHasIt) groupHasIt = false
    else send(signal)
  }
}
