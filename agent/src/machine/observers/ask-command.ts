import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Environment } from '../../shared/child-process.ts'

const run = promisify(execFile)

/** No answer an observer asks for is near this many bytes. */
const mostBytes = 4 * 1024 * 1024

export interface AskOptions {
  env?: Environment | undefined
  timeoutMs?: number
}

/**
 * What a short-lived command answers. The child is killed after `timeoutMs` (5 s) or when it says too much. Throws an
 * error that names the program only: its own message may hold private paths and names.
 */
export const askCommand = async (
  command: string,
  args: readonly string[],
  { env = process.env, timeoutMs = 5000 }: AskOptions = {},
): Promise<string> => {
  const options = { env: { ...env, LC_ALL: 'C' }, timeout: timeoutMs, maxBuffer: mostBytes, windowsHide: true }
  try {
    const { stdout } = await run(command, [...args], { ...options, killSignal: 'SIGKILL' })
    return stdout
  } catch (error) {
    throw new Error(`${command} gives no answer`, { cause: error })
  }
}
