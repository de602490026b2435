import type { CommandName, CommandValue } from '../../machine/page/messages.ts'

/** What a command is answered with. */
export interface Reply<N extends CommandName> {
  value: CommandValue<N>
  bytes?: Uint8Array<ArrayBuffer>
}
