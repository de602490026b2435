import { constants, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createDurableFiles, writeFully } from './durable-files.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'durable-files-'))
})
afterEach(() => {
  vi.restoreAllMocks()
  rmSync(root, { recursive: true })
})

describe('what is written through', () => {
  it.runIf(process.platform === 'linux')('is on the disk when the write returns, as the kernel was told', async () => {
    const file = await createDurableFiles().openThrough(join(root, 'a'), constants.O_RDWR | constants.O_CREAT)
    const flags = /^flags:\s+(\d+)$/m.exec(readFileSync(`/proc/self/fdinfo/${file.fd}`, 'utf8'))?.[1] ?? ''
    await file.close()
    expect(Number.parseInt(flags, 8) & constants.O_DSYNC).toBe(constants.O_DSYNC)
  })

  it('is written whole, however little a single call takes', async () => {
    const whole = Buffer.from('abcdefghij')
    const disk = Buffer.alloc(12)
    const writev = (buffers: readonly Uint8Array[], position: number) => {
      const bytes = Buffer.concat(buffers).subarray(0, 3)
      bytes.copy(disk, position)
      return Promise.resolve({ bytesWritten: bytes.length })
    }
    const parts = [whole.subarray(0, 2), Buffer.alloc(0), whole.subarray(2, 8), whole.subarray(8)]
    expect(await writeFully({ writev } as unknown as FileHandle, parts, 1)).toBe(10)
    expect(disk.toString('latin1')).toBe('\0abcdefghij\0')
  })
})

describe('a file', () => {
  it('is flushed with what is needed to find it', async () => {
    const file = await open(join(root, 'a'), 'w')
    const synced = vi.spyOn(Object.getPrototypeOf(file) as FileHandle, 'sync')
    await createDurableFiles().syncFile(file)
    await file.close()
    expect(synced).toHaveBeenCalledExactlyOnceWith()
    expect(synced.mock.contexts).toEqual([file])
  })
})

describe('a folder', () => {
  it('whose names changed is flushed', async () => {
    const probe = await open(root, 'r')
    const synced = vi.spyOn(Object.getPrototypeOf(probe) as FileHandle, 'sync')
    await probe.close()
    await createDurableFiles().syncFolder(root)
    expect(synced).toHaveBeenCalledTimes(1)
  })

  it('is durable with every folder above it, up to the root', async () => {
    const probe = await open(root, 'r')
    const synced = vi.spyOn(Object.getPrototypeOf(probe) as FileHandle, 'sync')
    await probe.close()
    await createDurableFiles().ensureFolder(join(root, 'a/b/c'), root)
    expect(synced).toHaveBeenCalledTimes(3)
  })
})
