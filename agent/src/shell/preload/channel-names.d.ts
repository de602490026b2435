/** Made at build from the map in shared/ipc/channels.ts, whose schemas are many times the size of a preload. */
declare module 'virtual:channel-names' {
  import type { CommandName, PushName } from '../../shared/ipc/channels.ts'

  /** Each command's and each push's name on the wire. */
  export const commandChannels: Readonly<Record<CommandName, string>>
  export const pushChannels: Readonly<Record<PushName, string>>
  /** How the capture page's port is handed over: the channel to its preload, and the message to its page. */
  export const portGreeting: string
}
