import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { withSetupLock } from './setup-lock.mjs'

let folder: string
let lock: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'setup-lock-'))
  lock = join(folder, '.setup-lock')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const deadPid = () => spawnSync(process.execPath, ['-e', '0']).pid
const leaveLock = (owner: object) => {
  mkdirSync(lock)
  writeFileSync(join(lock, 'owner.json'), JSON.stringify(owner))
}
const longAgo = new Date(Date.now() - 3_600_000)

describe('withSetupLock', () => {
  it('holds the lock during the work and gives it back afterwards, also when the work fails', async () => {
    expect(await withSetupLock(lock, () => Promise.resolve(existsSync(lock)))).toBe(true)
    expect(existsSync(lock)).toBe(false)
    await expect(withSetupLock(lock, () => Promise.reject(new Error('no network')))).rejects.toThrow('no network')
    expect(existsSync(lock)).toBe(false)
  })

  it('takes over from a holder that is dead', async () => {
    leaveLock({ pid: deadPid(), host: hostname() })
    expect(await withSetupLock(lock, () => Promise.resolve('done'))).toBe('done')
  })

  it.runIf(existsSync('/proc/self/stat'))('takes over when another process has got the number since', async () => {
    leaveLock({ pid: process.pid, host: hostname(), started: '1' })
    expect(await withSetupLock(lock, () => Promise.resolve('done'))).toBe('done')
  })

  it('takes over an old lock whose owner cannot be read, and an old one of another machine', async () => {
    mkdirSync(lock)
    writeFileSync(join(lock, 'owner.json'), '')
    utimesSync(lock, longAgo, longAgo)
    expect(await withSetupLock(lock, () => Promise.resolve('first'))).toBe('first')
    leaveLock({ pid: 1, host: `not-${hostname()}` })
    utimesSync(lock, longAgo, longAgo)
    expect(await withSetupLock(lock, () => Promise.resolve('second'))).toBe('second')
  })

  it('waits for a holder that lives', async () => {
    const holder = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'])
    leaveLock({ pid: holder.pid, host: hostname() })
    const order: string[] = []
    const work = withSetupLock(lock, () => Promise.resolve(order.push('work')), 5)
    holder.once('exit', () => order.push('holder gone'))
    holder.kill('SIGKILL')
    await work
    expect(order).toEqual(['holder gone', 'work'])
  })

  it('never lets two of several processes in at once, even when all find an abandoned lock', async () => {
    leaveLock({ pid: deadPid(), host: hostname() })
    const log = join(folder, 'log')
    const script = `import { appendFileSync } from 'node:fs'
      import { withSetupLock } from ${JSON.stringify(join(import.meta.dirname, 'setup-lock.mjs'))}
      await withSetupLock(${JSON.stringify(lock)}, async () => {
        appendFileSync(${JSON.stringify(log)}, 'in ')
        for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate)
        appendFileSync(${JSON.stringify(log)}, 'out ')
      }, 1)`
    const ends = Array.from({ length: 4 }, () => {
      const child = spawn(process.execPath, ['--input-type=module', '-e', script])
      let problem = ''
      child.stderr.on('data', (chunk: Buffer) => {
        problem += chunk.toString()
      })
      return new Promise((resolve) => child.once('close', (code) => resolve(code === 0 ? 'ended well' : problem)))
    })
    expect(await Promise.all(ends)).toEqual(Array(4).fill('ended well'))
    expect(readFileSync(log, 'utf8')).toBe('in out '.repeat(4))
  })
})
