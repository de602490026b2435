import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openBoundedLog } from './bounded-log.ts'

let dir: string
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'log-'))
})
afterEach(() => rmSync(dir, { recursive: true, force: true }))

describe('the log on the computer of a candidate', () => {
  it('writes a line with its time, for this user alone', () => {
    const path = join(dir, 'logs', 'agent.log')
    openBoundedLog(path, () => 0)('screen: driver_failed:\n no frame')
    expect(readFileSync(path, 'utf8')).toBe('1970-01-01T00:00:00.000Z screen: driver_failed: no frame\n')
    expect(statSync(path).mode & 0o077).toBe(0)
  })

  it('keeps two files of a mebibyte and no more, over restarts', () => {
    const path = join(dir, 'agent.log')
    for (let n = 0; n < 3; n += 1) {
      const log = openBoundedLog(path)
      for (let line = 0; line < 700; line += 1) log(`${n} ${'x'.repeat(5000)}`)
    }
    expect(statSync(path).size).toBeLessThanOrEqual(1024 ** 2)
    expect(statSync(`${path}.1`).size).toBeLessThanOrEqual(1024 ** 2)
    expect(readFileSync(path, 'utf8').split('\n').at(-2)).toContain(' 2 x')
  })

  it('goes on without a log where none can be written', () => {
    writeFileSync(join(dir, 'file'), '')
    expect(() => openBoundedLog(join(dir, 'file', 'agent.log'))('x')).not.toThrow()
  })
})
