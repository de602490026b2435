import type { Plugin } from 'vite'
import { portGreeting } from '../src/machine/page/messages.ts'
import { commandChannel, commandNames, pushChannel, pushNames } from '../src/shared/ipc/channels.ts'

const name = 'virtual:channel-names'

/**
 * The names of the map in src/shared/ipc/channels.ts, for the preload. Its schemas stay with the main process, which alone
 * decides what fits.
 */
export const channelNames = (): Plugin => ({
  name: 'channel-names',
  resolveId: (id) => (id === name ? `\0${name}` : undefined),
  load: (id) => {
    if (id !== `\0${name}`) return undefined
    const commands = Object.fromEntries(commandNames.map((command) => [command, commandChannel(command)]))
    const pushes = Object.fromEntries(pushNames.map((push) => [push, pushChannel(push)]))
    const values = { commandChannels: commands, pushChannels: pushes, portGreeting: portGreeting }
    return Object.entries(values)
      .map(([key, value]) => `export const ${key} = ${JSON.stringify(value)}`)
      .join('\n')
  },
})
