import { parseArgs } from 'node:util'
import { IntegrityError } from '@integrity/client'
import { type Command, commonOptions } from './command.ts'
import { commands } from './commands.ts'
import { completionOf } from './completion.ts'
import { helpOf, overview } from './help.ts'
import { exitCodes, type Terminal, UsageError } from './terminal.ts'

const parsed = (command: Command, argv: readonly string[]) => {
  try {
    return parseArgs({ args: [...argv], options: { ...commonOptions, ...command.options }, allowPositionals: true })
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
}

const runCommand = async (command: Command, argv: readonly string[], terminal: Terminal): Promise<number> => {
  if (command.passesOn) return command.run(terminal, { args: argv, values: {} })
  const { values, positionals } = parsed(command, argv)
  if (values['help']) {
    terminal.out(helpOf(command))
    return exitCodes.done
  }
  if (positionals.length !== command.takes.length) throw new UsageError(helpOf(command))
  return command.run(terminal, { args: positionals, values })
}

const tellError = (error: unknown, terminal: Terminal): number => {
  if (error instanceof UsageError) {
    terminal.err(error.message)
    return exitCodes.usage
  }
  if (terminal.signal.aborted) return exitCodes.done
  if (!(error instanceof IntegrityError)) throw error
  terminal.err(`${error.code}: ${error.message}${error.requestId ? ` (${error.requestId})` : ''}`)
  return exitCodes.failed
}

/** One run of `integrity`. @returns its exit code, of {@link exitCodes} */
export const run = async (argv: readonly string[], terminal: Terminal): Promise<number> => {
  const [name, ...rest] = argv
  if (name === undefined || name === 'help' || name === '--help') {
    terminal.out(overview(commands))
    return name === undefined ? exitCodes.usage : exitCodes.done
  }
  try {
    if (name === 'completion') {
      terminal.out(completionOf(rest[0] ?? '', commands))
      return exitCodes.done
    }
    const command = commands.find((one) => one.name === name)
    if (!command) throw new UsageError(`there is no command ${name}\n\n${overview(commands)}`)
    return await runCommand(command, rest, terminal)
  } catch (error) {
    return tellError(error, terminal)
  }
}
