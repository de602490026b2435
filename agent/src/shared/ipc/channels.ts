import { laneName } from '@integrity/protocol'
import * as z from 'zod'
import { preview, problem, windowState } from './window-state.ts'

const nothing = z.object({}).strict()
const notDone = z.object({ done: z.literal(false), problem })
/** Whether it was done; a problem is shown where it belongs and is part of the state as well. */
export const outcome = z.union([z.object({ done: z.literal(true) }), notDone])
export type Outcome = z.output<typeof outcome>
/** What the browser was given: a link of the candidate's own, or the plain address, where one asks for a link. */
export const opened = z.union([z.object({ done: z.literal(true), opened: z.enum(['link', 'address']) }), notDone])

const command = <I extends z.ZodType, O extends z.ZodType>(input: I, output: O) => ({ input, output })

/**
 * Everything the window may ask of the agent: one map for the preload, the main process and the window. An input that
 * does not fit its schema, and a sender that is not our window, are refused before anything happens.
 */
export const commands = {
  'state.read': command(nothing, windowState),
  /** `code` may be a whole `integrity-agent://` link. Without `server`, the one that is known. */
  'session.join': command(
    z.object({ code: z.string().max(2000), server: z.string().max(2000).optional() }).strict(),
    outcome,
  ),
  /** Back to the code page, from a problem or a finished session. */
  'session.forget': command(nothing, outcome),
  /** An answer to each lane of the document with this hash. */
  'consent.agree': command(
    z.object({ hash: z.string().max(128), answers: z.partialRecord(laneName, z.boolean()) }).strict(),
    outcome,
  ),
  'consent.decline': command(nothing, outcome),
  'check.again': command(z.object({ lane: laneName.optional() }).strict(), outcome),
  'check.choose': command(z.object({ lane: laneName, deviceId: z.string().max(500) }).strict(), outcome),
  'check.settings': command(z.object({ lane: laneName }).strict(), outcome),
  /** Plays a short sound; the system-audio lane should hear it. */
  'check.speaker': command(nothing, outcome),
  /** Back to the consent page. */
  'check.back': command(nothing, outcome),
  /** The recording begins. */
  'check.done': command(nothing, outcome),
  'recording.pause': command(nothing, outcome),
  'recording.resume': command(nothing, outcome),
  /** Begins one of the agreed breaks. */
  'recording.break': command(nothing, outcome),
  'recording.withdraw': command(z.object({ lane: laneName }).strict(), outcome),
  /** Answers one lane of what is asked for since the recording runs. */
  'recording.answer': command(
    z.object({ hash: z.string().max(128), lane: laneName, agree: z.boolean() }).strict(),
    outcome,
  ),
  'recording.end': command(nothing, outcome),
  'phone.invite': command(nothing, outcome),
  'phone.cancel': command(nothing, outcome),
  /** Opens the page about what is kept in the candidate's own browser; the link's secret does not come to the window. */
  'requests.open': command(nothing, opened),
  /** The organisation's logo as `data:image/png;base64,…`; null where there is none, or it does not come. */
  'session.logo': command(nothing, z.object({ picture: z.string().nullable() })),
  'notice.dismiss': command(z.object({ id: z.string().max(100) }).strict(), outcome),
  'app.locale': command(z.object({ locale: z.string().max(35) }).strict(), outcome),
  /** Hides the window; what is unsent goes on in the background. */
  'app.background': command(nothing, outcome),
  'app.quit': command(nothing, outcome),
  'update.install': command(nothing, outcome),
} as const

export type Commands = typeof commands
export type CommandName = keyof Commands
export const commandNames = Object.keys(commands) as CommandName[]
export type CommandInput<N extends CommandName> = z.input<Commands[N]['input']>
export type CommandOutput<N extends CommandName> = z.output<Commands[N]['output']>

/** What the agent tells the window unasked. */
export const pushes = { state: windowState, preview } as const
export type Pushes = typeof pushes
export type PushName = keyof Pushes
export const pushNames = Object.keys(pushes) as PushName[]

/** What the preload gives the window as `window.agent`; a test gives the same over a WebSocket. */
export interface AgentBridge {
  call<N extends CommandName>(name: N, input: CommandInput<N>): Promise<CommandOutput<N>>
  on<N extends PushName>(name: N, listener: (value: z.output<Pushes[N]>) => void): () => void
}

/** The core's side of the map: exhaustive, so that a missing handler does not compile. */
export type CommandHandlers = {
  readonly [N in CommandName]: (input: z.output<Commands[N]['input']>) => Promise<CommandOutput<N>>
}

/** Names on the wire between preload and main. */
export const commandChannel = (name: CommandName): string => `agent:${name}`
export const pushChannel = (name: PushName): string => `agent-push:${name}`
