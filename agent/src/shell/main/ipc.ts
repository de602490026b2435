import { type IpcMainInvokeEvent, ipcMain, type WebContents } from 'electron'
import {
  type CommandHandlers,
  type CommandName,
  commandChannel,
  commandNames,
  commands,
} from '../../shared/ipc/channels.ts'
import { isOfPage } from './pages.ts'

export interface CommandOptions {
  /** The window's contents, while there is a window. */
  readonly window: () => WebContents | undefined
  /** The core's side; a command that comes before it is open waits for it. */
  readonly handlers: Promise<CommandHandlers>
  readonly onTrouble: (trouble: string) => void
}

/** Only the window's own page, in its main frame: another page, a frame in it, or a page it was led to is refused. */
const isOurWindow = (event: IpcMainInvokeEvent, window: WebContents | undefined): boolean => {
  const { sender, senderFrame } = event
  return (
    window !== undefined &&
    sender.id === window.id &&
    senderFrame !== null &&
    senderFrame === sender.mainFrame &&
    isOfPage('window', senderFrame.url)
  )
}

const unexpected = { done: false, problem: { code: 'unexpected' } } as const

const answer = async (name: CommandName, input: unknown, options: CommandOptions): Promise<unknown> => {
  const handlers = await options.handlers
  const { output } = commands[name]
  try {
    // The map pairs each name with its own types; over a union of names TypeScript cannot see that.
    const handle = handlers[name] as (input: unknown) => Promise<unknown>
    return output.parse(await handle(input))
  } catch (error) {
    options.onTrouble(`${name} failed: ${error instanceof Error ? error.message : String(error)}`)
    const told = output.safeParse(unexpected)
    if (told.success) return told.data
    throw new Error(`${name} failed`)
  }
}

/** Registers every command of the map: sender checked, input parsed, answer parsed. Nothing else is listened to. */
export const registerCommands = (options: CommandOptions): void => {
  // A core that does not open is told elsewhere; here each command that waits for it fails.
  options.handlers.catch(() => {})
  for (const name of commandNames) {
    ipcMain.handle(commandChannel(name), async (event, input: unknown) => {
      if (!isOurWindow(event, options.window())) {
        options.onTrouble(`${name} was refused: not our window`)
        throw new Error('refused')
      }
      const parsed = commands[name].input.safeParse(input)
      if (!parsed.success) throw new Error(`${name}: the input does not fit`)
      return answer(name, parsed.data, options)
    })
  }
}
