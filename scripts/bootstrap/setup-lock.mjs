import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

// A holder renews the lock's time stamp; only a lock of another machine (a shared folder) is judged by its age.
const renewEvery = 5_000
const abandonedAfter = 60_000
const clearedWithin = 10_000

/**
 * Runs the work while holding the lock folder, so that two first runs do not install into the same tree at once.
 * A lock whose holder is gone (killed, power cut) is taken over.
 * @template T
 * @param {string} folder
 * @param {() => Promise<T>} work
 * @param {number} [pollMs] how often to look again while another process holds it
 * @returns {Promise<T>}
 */
export const withSetupLock = async (folder, work, pollMs = 200) => {
  let told = false
  while (!take(folder)) {
    if (isAbandoned(folder) && clear(folder)) continue
    if (!told)
      console.error(`Waiting for another set-up of this tree (process ${readOwner(folder)?.pid ?? 'unknown'}).`)
    told = true
    await pause(pollMs)
  }
  const renewal = setInterval(() => renew(folder), renewEvery)
  const release = () => {
    // Not when another machine, which saw no renewal, has taken it over.
    if (readOwner(folder)?.pid === process.pid) remove(folder)
  }
  process.once('exit', release)
  try {
    return await work()
  } finally {
    clearInterval(renewal)
    process.removeListener('exit', release)
    release()
  }
}

// A folder with its owner inside appears and disappears by one rename: nobody ever meets half a lock.
/** @param {string} folder @returns {boolean} */
const take = (folder) => {
  const own = asideOf(folder)
  rmSync(own, { recursive: true, force: true })
  mkdirSync(own)
  writeFileSync(join(own, 'owner.json'), JSON.stringify(self()))
  try {
    renameSync(own, folder)
    return true
  } catch (problem) {
    rmSync(own, { recursive: true, force: true })
    // Windows refuses with one of the last two.
    if (['ENOTEMPTY', 'EEXIST'].includes(codeOf(problem))) return false
    if (['EPERM', 'EACCES'].includes(codeOf(problem)) && existsSync(folder)) return false
    throw problem
  }
}

/** @param {string} folder */
const remove = (folder) => {
  const aside = asideOf(folder)
  try {
    renameSync(folder, aside)
  } catch (problem) {
    if (codeOf(problem) !== 'ENOENT') throw problem
  }
  rmSync(aside, { recursive: true, force: true })
}

/** @param {string} folder */
const asideOf = (folder) => `${folder}.${process.pid}`

const self = () => ({ pid: process.pid, host: hostname(), started: startedAt(process.pid) })

/** @typedef {{ pid: number, host: string, started?: string }} Owner */

/** @param {string} folder @returns {Owner | undefined} */
const readOwner = (folder) => {
  try {
    return JSON.parse(readFileSync(join(folder, 'owner.json'), 'utf8'))
  } catch {
    return undefined
  }
}

/** @param {string} folder */
const isAbandoned = (folder) => {
  const age = ageOf(folder)
  if (age === undefined) return false
  const owner = readOwner(folder)
  // Another machine's process cannot be asked for; and a power cut may leave an owner that cannot be read.
  return owner === undefined || owner.host !== hostname() ? age > abandonedAfter : !isRunning(owner)
}

/** @param {Owner} owner of this machine */
const isRunning = (owner) =>
  isAlive(owner.pid) && (owner.started === undefined || owner.started === startedAt(owner.pid))

/**
 * Removes an abandoned lock. Making a folder inside it decides which of several waiters does so, and looking again under that
 * protection keeps a slow one from removing the lock that a quick one has just taken.
 * @param {string} folder
 * @returns {boolean} whether the lock is free to be tried again
 */
const clear = (folder) => {
  const claim = join(folder, 'clearing')
  try {
    mkdirSync(claim)
  } catch (problem) {
    if (codeOf(problem) === 'ENOENT') return true
    if (codeOf(problem) === 'EEXIST' && (ageOf(claim) ?? 0) > clearedWithin)
      rmSync(claim, { recursive: true, force: true })
    return false
  }
  const owner = readOwner(folder)
  // The claim went with its folder: what stands there now is another's.
  if (!existsSync(claim)) return true
  // The claim has renewed the folder's time stamp, so only an owner of this machine can be judged again.
  if (owner !== undefined && owner.host === hostname() && isRunning(owner)) {
    rmSync(claim, { recursive: true, force: true })
    return false
  }
  console.error('Taking over from a set-up that did not finish.')
  remove(folder)
  return true
}

/** @param {string} path @returns {number | undefined} milliseconds since its last change */
const ageOf = (path) => {
  const changed = statSync(path, { throwIfNoEntry: false })?.mtimeMs
  return changed === undefined ? undefined : Date.now() - changed
}

/** @param {string} folder */
const renew = (folder) => {
  try {
    utimesSync(folder, new Date(), new Date())
  } catch {
    // Someone removed it by hand; the install goes on all the same.
  }
}

/** @param {unknown} problem @returns {string} */
const codeOf = (problem) => /** @type {NodeJS.ErrnoException} */ (problem).code ?? ''

/** @param {number} pid */
const isAlive = (pid) => {
  try {
    process.kill(pid, 0)
    return true
  } catch (problem) {
    return codeOf(problem) === 'EPERM'
  }
}

/**
 * When a process began, in the kernel's ticks (proc(5), field 22): tells a process from a later one with the same number.
 * @param {number} pid
 * @returns {string | undefined} nothing where there is no /proc
 */
const startedAt = (pid) => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]
  } catch {
    return undefined
  }
}
