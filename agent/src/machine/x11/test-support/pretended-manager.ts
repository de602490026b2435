import type { Environment } from '../../../shared/child-process.ts'
import { words16, words32, XConnection } from '../x-connection.ts'

const createWindow = 1
const destroyWindow = 4
const changeProperty = 18
const deleteProperty = 19
const inputOnly = 2

export interface PretendedManager {
  /** Makes a window with these text properties. */
  window(texts?: Record<string, string | Buffer>): Promise<number>
  destroy(window: number): Promise<void>
  /** Says that this window is in front; undefined takes back all that was said. */
  say(window: number | undefined): Promise<void>
  /** Ends, with all its windows. */
  close(): void
}

/** Says which window is in front as a window manager does, on a display that has no other. */
export const pretendManager = async (env: Environment): Promise<PretendedManager> => {
  const connection = await XConnection.open(env)
  let made = 0
  const settled = () => connection.atom('CARDINAL')
  const set = async (window: number, name: string, format: 8 | 32, value: Buffer): Promise<void> => {
    const head = words32(
      window,
      await connection.atom(name),
      await connection.atom(format === 8 ? 'STRING' : 'CARDINAL'),
    )
    const length = words32(value.length / (format / 8))
    connection.send(changeProperty, 0, Buffer.concat([head, Buffer.from([format, 0, 0, 0]), length, value]))
  }
  const window = async (texts: Record<string, string | Buffer> = {}): Promise<number> => {
    const id = connection.idBase + made
    made += 1
    const place = Buffer.concat([words16(0, 0, 1, 1, 0, inputOnly), words32(0, 0)])
    connection.send(createWindow, 0, Buffer.concat([words32(id, connection.root), place]))
    for (const [name, text] of Object.entries(texts)) await set(id, name, 8, Buffer.from(text))
    await settled()
    return id
  }
  const check = await window()
  for (const of of [connection.root, check]) await set(of, '_NET_SUPPORTING_WM_CHECK', 32, words32(check))
  const supported = words32(await connection.atom('WM_NAME'), await connection.atom('_NET_ACTIVE_WINDOW'))
  await set(connection.root, '_NET_SUPPORTED', 32, supported)
  await settled()
  return {
    window,
    destroy: async (id) => {
      connection.send(destroyWindow, 0, words32(id))
      await settled()
    },
    say: async (id) => {
      if (id !== undefined) await set(connection.root, '_NET_ACTIVE_WINDOW', 32, words32(id))
      for (const name of id === undefined ? ['_NET_SUPPORTED', '_NET_ACTIVE_WINDOW'] : []) {
        connection.send(deleteProperty, 0, words32(connection.root, await connection.atom(name)))
      }
      await settled()
    },
    close: () => connection.close(),
  }
}
