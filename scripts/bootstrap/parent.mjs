import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

// Noted when this file loads: the parent may already be gone when a long install ends.
const parent = process.ppid
const shellsParent = runsInShellOfNpm() ? parentOf(parent) : undefined

/**
 * Whether the process that started this one is gone. npm runs a script through `sh -c`, and a killed npm leaves that shell
 * behind, alive and waiting: there the shell's own parent is the one to watch.
 */
export const parentIsGone = () => {
  if (process.ppid !== parent) return true
  if (shellsParent === undefined) return false
  // Where /proc tells, the shell has got another parent at once; elsewhere a number that no process has any more must do.
  return process.platform === 'linux' ? parentOf(parent) !== shellsParent : !isAlive(shellsParent)
}

/** An `npm` that is this process's direct parent (some shells replace themselves) outlives its terminal on purpose. */
function runsInShellOfNpm() {
  if (process.env.npm_lifecycle_event === undefined || process.platform === 'win32') return false
  const line =
    process.platform === 'linux' ? read(`/proc/${parent}/cmdline`).replaceAll('\0', ' ') : ps('args=', parent)
  return /^\S*sh -c .*run\.mjs/.test(line)
}

/** @param {number} pid @returns {number | undefined} */
function parentOf(pid) {
  // proc(5): the state and the parent's number follow the name, which is in brackets and may itself hold brackets.
  const stat = read(`/proc/${pid}/stat`)
  const found = process.platform === 'linux' ? stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1] : ps('ppid=', pid)
  return Number(found) || undefined
}

/** @param {string} column @param {number} pid */
const ps = (column, pid) =>
  spawnSync('ps', ['-o', column, '-p', String(pid)], { encoding: 'utf8' }).stdout?.trim() ?? ''

/** @param {string} file */
function read(file) {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

/** @param {number} pid */
const isAlive = (pid) => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
