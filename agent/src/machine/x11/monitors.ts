import type { Environment } from '../../shared/child-process.ts'
import { askX } from './kept-connection.ts'
import { words32 } from './x-connection.ts'

// RANDR protocol 1.5: QueryVersion, GetMonitors.
const queryVersion = 0
const getMonitors = 42
const headerBytes = 32
const monitorBytes = 24

export interface XMonitor {
  id: string
  x: number
  y: number
  width: number
  height: number
  primary: boolean
}

/** The logical monitors of an X display by their names. @throws Error when it cannot be asked, or is older than RANDR 1.5 */
export const listXMonitors = (env: Environment): Promise<XMonitor[]> =>
  askX(env, async ({ connection, extension, nameOf }) => {
    const { opcode } = await extension('RANDR')
    const version = await connection.ask(opcode, queryVersion, words32(1, 5))
    if (version.readUInt32LE(8) * 100 + version.readUInt32LE(12) < 105) throw new Error('the X server has no monitors')
    const reply = await connection.ask(opcode, getMonitors, words32(connection.root, 0))
    const monitors: XMonitor[] = []
    let at = headerBytes
    for (let left = reply.readUInt32LE(12); left > 0; left -= 1) {
      monitors.push({
        id: await nameOf(reply.readUInt32LE(at)),
        x: reply.readInt16LE(at + 8),
        y: reply.readInt16LE(at + 10),
        width: reply.readUInt16LE(at + 12),
        height: reply.readUInt16LE(at + 14),
        primary: reply.readUInt8(at + 4) === 1,
      })
      at += monitorBytes + 4 * reply.readUInt16LE(at + 6)
    }
    return monitors
  })
