import type { Environment } from '../../../shared/child-process.ts'
import { words16, words32, XConnection } from '../x-connection.ts'

const createWindow = 1
const setSelectionOwner = 22
const inputOnly = 2

export interface ClipboardUser {
  /** Takes a selection as a program does when something is copied in it. */
  take(selection: 'CLIPBOARD' | 'PRIMARY'): Promise<void>
  /** Ends, as a program that leaves; the selection then has no owner. */
  close(): void
}

/** A program on an X display that can own its selections. */
export const clipboardUser = async (env: Environment): Promise<ClipboardUser> => {
  const connection = await XConnection.open(env)
  const window = connection.idBase
  const place = Buffer.concat([words16(0, 0, 1, 1, 0, inputOnly), words32(0, 0)])
  connection.send(createWindow, 0, Buffer.concat([words32(window, connection.root), place]))
  return {
    take: async (selection) => {
      const atom = await connection.atom(selection)
      connection.send(setSelectionOwner, 0, words32(window, atom, 0))
      await connection.atom(selection)
    },
    close: () => connection.close(),
  }
}
