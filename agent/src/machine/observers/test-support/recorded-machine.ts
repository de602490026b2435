import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { RecordedMachine, RecordedProcess } from '../../../core/observers/ordinary-machines.ts'

const edidBytes = 128

const put = async (path: string, content: string | Buffer): Promise<void> => {
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, content)
}

const writeProcess = async (root: string, { pid, comm, exe, opens = [] }: RecordedProcess): Promise<void> => {
  const folder = join(root, 'proc', String(pid))
  await mkdir(join(folder, 'fd'), { recursive: true })
  await put(join(folder, 'comm'), `${comm}\n`)
  await put(join(folder, 'cmdline'), `${exe}\0`)
  await put(join(folder, 'stat'), `${pid} (${comm}) S 1 1 1 0\n`)
  await symlink(exe, join(folder, 'exe'))
  for (const [index, file] of opens.entries()) await symlink(file, join(folder, 'fd', String(3 + index)))
}

/** Writes the files that the observers read of such a computer under `root`. */
export const writeRecordedMachine = async (root: string, machine: RecordedMachine): Promise<void> => {
  await put(join(root, 'proc/bus/input/devices'), machine.inputDevices)
  for (const process of machine.processes) await writeProcess(root, process)
  for (const [socket, { status, edid }] of Object.entries(machine.sockets)) {
    await put(join(root, 'sys/class/drm', socket, 'status'), `${status}\n`)
    const known = Buffer.from(edid, 'hex')
    const whole = known.length === 0 ? known : Buffer.concat([known, Buffer.alloc(edidBytes - known.length, 0x53)])
    await put(join(root, 'sys/class/drm', socket, 'edid'), whole)
  }
  await mkdir(join(root, 'dev'), { recursive: true })
  for (const [path, text] of Object.entries(machine.files)) {
    await put(join(root, path), text)
    if (path.includes('/video4linux/')) await put(join(root, 'dev', basename(dirname(path))), '')
  }
}
