import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Command } from './command.ts'
import { listen } from './listen.ts'
import { serveMcp } from './mcp.ts'
import { sandbox } from './sandbox.ts'
import { stream } from './stream.ts'
import { clientOf, exitCodes } from './terminal.ts'

const adminProgram = fileURLToPath(new URL('../../server/src/app/admin.ts', import.meta.url))

const admin: Command = {
  name: 'admin',
  summary: "the operator's commands, on the machine of the service: `integrity admin help`",
  takes: [],
  options: {},
  passesOn: true,
  run: ({ env, signal }, { args }) =>
    new Promise((resolve, reject) => {
      const child = spawn(process.execPath, [adminProgram, ...args], {
        env: { ...process.env, ...env },
        stdio: 'inherit',
      })
      signal.addEventListener('abort', () => child.kill('SIGTERM'))
      child.once('error', reject).once('close', (code) => resolve(code ?? exitCodes.failed))
    }),
}

const whose: Command = {
  name: 'key',
  summary: 'whose key it is, and what it may do',
  takes: [],
  options: {},
  run: async (terminal, { values }) => {
    const data = await clientOf(terminal).call('orgs.self')
    terminal.out(values['json'] ? JSON.stringify(data) : JSON.stringify(data, null, 2))
    return exitCodes.done
  },
}

const mcp: Command = {
  name: 'mcp',
  summary: 'serves the API to an assistant over standard input and output (Model Context Protocol), read-only',
  takes: [],
  options: { transcripts: { type: 'boolean', summary: 'also what was said, where the key may read it' } },
  run: async (terminal, { values }) => {
    await serveMcp(terminal, { transcripts: values['transcripts'] === true })
    return exitCodes.done
  },
}

/** Every command, in the order in which a newcomer meets them. */
export const commands: readonly Command[] = [whose, sandbox, stream, listen, mcp, admin]
