import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { Environment } from '../../shared/child-process.ts'

const cookieBytes = 256

/**
 * The socket of this user's sound server: `PULSE_SERVER` (`unix:/path` or `/path`, a machine in braces before it), else
 * the one in `XDG_RUNTIME_DIR`. Undefined for a server on the network and where there is none.
 */
export const findPulseSocket = (env: Environment): string | undefined => {
  const given = env['PULSE_SERVER']?.trim()
  if (given) return /^(?:\{[^}]*\})?(?:unix:)?(\/\S+)$/.exec(given)?.[1]
  const runtime = env['PULSE_RUNTIME_PATH'] ?? (env['XDG_RUNTIME_DIR'] && join(env['XDG_RUNTIME_DIR'], 'pulse'))
  const usual = runtime ? join(runtime, 'native') : undefined
  return usual && existsSync(usual) ? usual : undefined
}

/** What proves to the server that we belong to its user; zeros where no file has it, which a server without cookies takes. */
export const readPulseCookie = async (env: Environment): Promise<Buffer> => {
  const home = env['HOME'] || homedir()
  const config = env['XDG_CONFIG_HOME'] || join(home, '.config')
  const places = [env['PULSE_COOKIE'], join(config, 'pulse', 'cookie'), join(home, '.pulse-cookie')]
  for (const path of places) {
    const cookie = path ? await readFile(path).catch(() => undefined) : undefined
    if (cookie?.length === cookieBytes) return cookie
  }
  return Buffer.alloc(cookieBytes)
}
