import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { CameraHolders } from './camera-holders.ts'

let root: string
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'holders-'))
  await mkdir(join(root, 'dev'))
  await mkdir(join(root, 'proc', 'self'), { recursive: true })
})
afterEach(() => rm(root, { recursive: true }))

const camera = (name: string): Promise<void> => writeFile(join(root, 'dev', name), '')
const fileOf = (pid: number, fd: number): string => join(root, 'proc', String(pid), 'fd', String(fd))
const opens = async (pid: number, ...files: readonly string[]): Promise<void> => {
  await mkdir(join(root, 'proc', String(pid), 'fd'), { recursive: true })
  for (const [n, file] of files.entries()) await symlink(file, fileOf(pid, n))
}

describe('who has a camera open', () => {
  it('is nobody where there is no camera', async () => {
    await camera('null')
    await opens(7, '/dev/null')
    expect(await new CameraHolders(root).look()).toEqual([])
  })

  it('is every process with the device among its open files, among many', async () => {
    await camera('video0')
    await camera('video2')
    for (let pid = 100; pid < 180; pid += 1) await opens(pid, '/dev/null', '/dev/video1', `socket:[${pid}]`)
    await opens(200, '/dev/null', '/dev/video2')
    await opens(201, '/dev/video0', '/dev/video0')
    // Gone between the two looks at it.
    await mkdir(join(root, 'proc', '202'))
    expect(await new CameraHolders(root).look()).toEqual([
      { pid: 200, device: 'video2' },
      { pid: 201, device: 'video0' },
    ])
  })

  it('is known again when a process comes or ends', async () => {
    await camera('video0')
    await opens(7, '/dev/null')
    const holders = new CameraHolders(root)
    expect(await holders.look()).toEqual([])
    await opens(8, '/dev/video0')
    expect(await holders.look()).toEqual([{ pid: 8, device: 'video0' }])
    await rm(join(root, 'proc', '8'), { recursive: true })
    expect(await holders.look()).toEqual([])
  })

  it('is found within four looks where a process closes one file and opens the camera', async () => {
    await camera('video0')
    await opens(7, '/dev/null')
    const holders = new CameraHolders(root)
    await holders.look()
    await rm(fileOf(7, 0))
    await symlink('/dev/video0', fileOf(7, 0))
    let found = await holders.look()
    for (let looks = 1; looks < 4 && found.length === 0; looks += 1) found = await holders.look()
    expect(found).toEqual([{ pid: 7, device: 'video0' }])
  })

  it('reads all processes again when another camera appears', async () => {
    await camera('video0')
    await opens(7, '/dev/video4')
    const holders = new CameraHolders(root)
    expect(await holders.look()).toEqual([])
    await camera('video4')
    expect(await holders.look()).toEqual([{ pid: 7, device: 'video4' }])
  })
})
