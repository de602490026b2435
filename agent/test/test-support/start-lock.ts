import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

const claim = (folder: string): boolean => {
  try {
    mkdirSync(folder)
    writeFileSync(join(folder, 'pid'), String(process.pid))
    return true
  } catch {
    return false
  }
}

const removeIfLeft = (folder: string): void => {
  try {
    const pid = Number(readFileSync(join(folder, 'pid'), 'utf8'))
    if (pid > 0 && !isAlive(pid)) rmSync(folder, { recursive: true, force: true })
  } catch {
    // Another process is just making or removing it.
  }
}

/**
 * Runs `start` while no other test process runs one of the same name: display servers, window managers and sound servers
 * that come up at the same instant fall over each other.
 */
export const oneAtATime = async <T>(name: string, start: () => Promise<T>): Promise<T> => {
  const folder = join(tmpdir(), `${name}.lock`)
  while (!claim(folder)) {
    removeIfLeft(folder)
    await delay(50)
  }
  try {
    return await start()
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
