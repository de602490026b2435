import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createLinuxProcessList } from './process-lists.ts'

describe('the list of processes on Linux', () => {
  let root: string
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'proc-'))
    await writeFile(join(root, 'cpuinfo'), 'no process')
  })
  afterEach(() => rm(root, { recursive: true, force: true }))

  const run = async (pid: string, own: string, exe: string, called: string): Promise<void> => {
    const folder = join(root, pid)
    await rm(folder, { recursive: true, force: true })
    await mkdir(folder)
    await writeFile(join(folder, 'comm'), `${own}\n`)
    await symlink(exe, join(folder, 'exe'))
    await writeFile(join(folder, 'cmdline'), `${called}\0--secret\0`)
  }

  it('has each name that a process goes by, and none of its arguments', async () => {
    await run('7', 'short', '/usr/lib/long-name (deleted)', '/usr/bin/called')
    await mkdir(join(root, '8'))
    await writeFile(join(root, '8', 'comm'), 'kernel\n')
    expect(await createLinuxProcessList(root)()).toEqual(['short', 'long-name', 'called', 'kernel'])
  })

  it('follows a program that another takes the place of, and one that ends', async () => {
    const list = createLinuxProcessList(root)
    await run('7', 'sh', '/bin/sh', 'sh')
    expect(await list()).toEqual(['sh', 'sh', 'sh'])
    await run('7', 'viewer', '/opt/viewer', '/opt/viewer')
    expect(await list()).toEqual(['viewer', 'viewer', 'viewer'])
    await rm(join(root, '7'), { recursive: true })
    expect(await list()).toEqual([])
  })

  it('finds a number given to another program of the same short name within four looks', async () => {
    const list = createLinuxProcessList(root)
    await run('7', 'main', '/opt/one', 'one')
    await list()
    await run('7', 'main', '/opt/two', 'two')
    const looks = [await list(), await list(), await list(), await list()]
    expect(looks.at(-1)).toEqual(['main', 'two', 'two'])
  })
})
