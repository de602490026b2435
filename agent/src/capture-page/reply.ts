import type { CommandName, CommandValue } from '../capture/web/messages.ts'

/** What a command is answered with. */
export type Reply<N extends CommandName> = { value: CommandValue<N>; bytes?: Uint8Array<ArrayBuffer> }
