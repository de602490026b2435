import { readdirSync, readlinkSync, type Stats, statSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { setImmediate as nextTurn } from 'node:timers/promises'

export interface CameraHolder {
  readonly pid: number
  readonly device: string
}

/** So many processes are looked at in one turn of the event loop. */
const processesOfTurn = 32
/** Each so many looks every process is read: one may have closed a file and opened a camera. */
const everyLook = 4

const orNone = <T>(read: () => T): T | undefined => {
  try {
    return read()
  } catch {
    return undefined // gone, or not ours to read
  }
}

interface Seen {
  /** Of its open files, as Linux counts them since 6.2. */
  readonly files: number
  readonly devices: readonly string[]
}

/**
 * Who has a camera open; only processes of this user can be seen. Reading every open file of a desktop takes tens of
 * milliseconds, so that is done for processes that are new or whose number of open files is another one.
 */
export class CameraHolders {
  readonly #root: string
  #seen: ReadonlyMap<number, Seen> = new Map()
  #cameras = ''
  #looks = 0

  constructor(root = '') {
    this.#root = root
  }

  async look(): Promise<CameraHolder[]> {
    const cameras = (await this.#list('dev')).filter((one) => /^video\d+$/.test(one)).toSorted()
    const isOther = cameras.join() !== this.#cameras
    this.#cameras = cameras.join()
    const all = isOther || this.#looks % everyLook === 0
    this.#looks += 1
    if (cameras.length === 0) return []
    const seen = new Map<number, Seen>()
    const pids = (await this.#list('proc')).filter((one) => /^\d+$/.test(one)).map(Number)
    for (const [n, pid] of pids.entries()) {
      if (n % processesOfTurn === processesOfTurn - 1) await nextTurn()
      const found = this.#lookAt(pid, cameras, all)
      if (found) seen.set(pid, found)
    }
    this.#seen = seen
    return [...seen].flatMap(([pid, { devices }]) => devices.map((device) => ({ pid, device })))
  }

  #lookAt(pid: number, cameras: readonly string[], all: boolean): Seen | undefined {
    const folder = `${this.#root}/proc/${pid}/fd`
    const stat = orNone(() => statSync(folder, { throwIfNoEntry: false }))
    if (!stat || !isReadable(stat)) return undefined
    const known = this.#seen.get(pid)
    // A kernel that does not count says 0 of every process.
    if (known && !all && stat.size > 0 && known.files === stat.size) return known
    const open = new Set(
      orNone(() => readdirSync(folder))?.map((file) => orNone(() => readlinkSync(`${folder}/${file}`))),
    )
    return { files: stat.size, devices: cameras.filter((one) => open.has(`/dev/${one}`)) }
  }

  async #list(folder: string): Promise<string[]> {
    return readdir(`${this.#root}/${folder}`).catch(() => [])
  }
}

/** To ask is cheaper than to be refused. */
const isReadable = ({ uid }: Stats): boolean => {
  const own = process.getuid?.()
  return own === 0 || uid === own
}
