import { spawn, spawnSync } from 'node:child_process'
import { appendFile, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'

/** A real file system of a few MiB over a folder, which can be filled to the last byte. */
export interface SmallDisk {
  /** Takes whatever room is left at the moment. */
  fill(): Promise<void>
  free(): Promise<void>
  remove(): void
}

const piece = Buffer.alloc(64 * 1024)

/** Why there can be none: as a rule because only root may mount one. */
export interface NoDisk {
  readonly why: string
}

/** Mounts a tmpfs over the folder, which has to be there and empty. It goes with this process, however that ends. */
export const mountSmallDisk = (folder: string, mebibytes: number): SmallDisk | NoDisk => {
  const options = `size=${mebibytes}m,mode=700`
  const { status, error, stderr } = spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'small-disk', folder], {
    encoding: 'utf8',
  })
  if (status !== 0) return { why: `a small disk cannot be mounted (${error?.message ?? stderr.split('\n')[0]})` }
  const script = 'read -r _; umount -l "$1" 2>/dev/null'
  const args = ['-c', script, 'small-disk-reaper', folder]
  const reaper = spawn('/bin/sh', args, { stdio: ['pipe', 'ignore', 'ignore'], detached: true, cwd: os.tmpdir() })
  const ballast = path.join(folder, 'ballast')
  return {
    async fill() {
      try {
        for (;;) await appendFile(ballast, piece)
      } catch (caught) {
        if ((caught as { code?: unknown }).code !== 'ENOSPC') throw caught
      }
    },
    free: () => rm(ballast, { force: true }),
    remove() {
      reaper.kill('SIGKILL')
      spawnSync('umount', ['-l', folder])
    },
  }
}
