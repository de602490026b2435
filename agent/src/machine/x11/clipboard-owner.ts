import { aborted, type Source } from '../../core/observers/sampled-observer.ts'
import type { Environment } from '../../shared/child-process.ts'
import { words32, XConnection } from './x-connection.ts'

// XFIXES protocol, sections 1 and 6.
const queryVersion = 0
const selectSelectionInput = 2
const setSelectionOwner = 1
const newOwner = 0

const selectClipboard = async (connection: XConnection): Promise<number> => {
  const { opcode, firstEvent } = await connection.extension('XFIXES')
  await connection.ask(opcode, queryVersion, words32(5, 0))
  const clipboard = await connection.atom('CLIPBOARD')
  connection.send(opcode, selectSelectionInput, words32(connection.root, clipboard, setSelectionOwner))
  // One more answered request: after it, the one before is known to have been taken.
  await connection.atom('CLIPBOARD')
  return firstEvent
}

/** Whether the X server can tell of the clipboard. @throws Error when it cannot */
export const probeClipboardOwner = async (env: Environment): Promise<void> => {
  const connection = await XConnection.open(env)
  try {
    await selectClipboard(connection)
  } finally {
    connection.close()
  }
}

/**
 * Counts, from 0, how often a program took the CLIPBOARD selection, which is what copying does (XFixesSelectionNotify).
 * The event names no content and none is asked for.
 */
export const clipboardOwnerChanges =
  (env: Environment): Source<number> =>
  async (see, signal) => {
    const connection = await XConnection.open(env)
    try {
      const notify = await selectClipboard(connection)
      let count = 0
      see(count)
      connection.onEvent = (event) => {
        const taken = (event.readUInt8(0) & 0x7f) === notify && event[1] === newOwner && event.readUInt32LE(8) !== 0
        if (!taken) return
        count += 1
        see(count)
      }
      await Promise.race([connection.ended, aborted(signal)])
    } finally {
      connection.close()
    }
  }
