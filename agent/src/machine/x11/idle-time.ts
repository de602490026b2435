import type { Environment } from '../../shared/child-process.ts'
import { askX } from './kept-connection.ts'
import { words32 } from './x-connection.ts'

// MIT-SCREEN-SAVER protocol: QueryInfo, whose answer has the time since the last input at byte 16.
const queryInfo = 1
const sinceInput = 16

/** Milliseconds since the last keyboard or pointer input on an X display. @throws Error when it cannot be asked */
export const readXIdleTime = (env: Environment): Promise<number> =>
  askX(env, async ({ connection, extension }) => {
    const { opcode } = await extension('MIT-SCREEN-SAVER')
    return (await connection.ask(opcode, queryInfo, words32(connection.root))).readUInt32LE(sinceInput)
  })
