import type { Environment } from '../../../shared/child-process.ts'
import { words16, words32, XConnection } from '../x-connection.ts'

const CREATE_WINDOW = 1
const SET_SELECTION_OWNER = 22
const INPUT_ONLY = 2

export type ClipboardUser = {
  /** Takes a selection as a program does when something is copied in it. */
  take(selection: 'CLIPBOARD' | 'PRIMARY'): Promise<void>
  /** Ends, as a program that leaves; the selection then has no owner. */
  close(): void
}

/** A program on an X display that can own its selections. */
export const clipboardUser = async (env: Environment): Promise<ClipboardUser> => {
  const connection = await XConnection.open(env)
  const window = connection.idBase
  const place = Buffer.concat([words16(0, 0, 1, 1, 0, INPUT_ONLY), words32(0, 0)])
  connection.send(CREATE_WINDOW, 0, Buffer.concat([words32(window, connection.root), place]))
  return {
    take: async (selection) => {
      const atom = await connection.atom(selection)
      connection.send(SET_SELECTION_OWNER, 0, words32(window, atom, 0))
      await connection.atom(selection)
    },
    close: () => connection.close(),
  }
}
