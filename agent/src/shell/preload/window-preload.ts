import { commandChannels, pushChannels } from 'virtual:channel-names'
import { contextBridge, type IpcRendererEvent, ipcRenderer } from 'electron'
import type { AgentBridge, CommandName, PushName } from '../../shared/ipc/channels.ts'

/** The channel of a name in the map; a name of anything else, `toString` too, has none. */
const channelOf = (channels: Readonly<Record<string, string>>, name: CommandName | PushName): string => {
  const channel = Object.hasOwn(channels, name) ? channels[name] : undefined
  if (channel === undefined) throw new Error('no such channel')
  return channel
}

const bridge: AgentBridge = {
  call: async (name, input) => ipcRenderer.invoke(channelOf(commandChannels, name), input),
  on: (name, listener) => {
    const channel = channelOf(pushChannels, name)
    // The event carries the sender; the page gets the value alone.
    const heard = (_event: IpcRendererEvent, value: unknown): void => listener(value as never)
    ipcRenderer.on(channel, heard)
    return () => void ipcRenderer.off(channel, heard)
  },
}

contextBridge.exposeInMainWorld('agent', bridge)
