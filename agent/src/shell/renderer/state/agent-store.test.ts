import { describe, expect, it } from 'vitest'
import type { AgentBridge } from '../../../shared/ipc/channels.ts'
import type { Preview, WindowState } from '../../../shared/ipc/window-state.ts'
import { AgentStore, previewKey } from './agent-store.ts'

const named = (version: string, screen = 'check') => ({ version, screen }) as WindowState

const scripted = () => {
  const listeners: { state?: (state: WindowState) => void; preview?: (preview: Preview) => void } = {}
  const read = Promise.withResolvers<WindowState>()
  const bridge = {
    call: () => read.promise,
    on: (name: 'state' | 'preview', listener: never) => {
      listeners[name] = listener
      return () => {}
    },
  } as unknown as AgentBridge
  return { store: new AgentStore(bridge), listeners, read }
}

describe('what the window knows of the agent', () => {
  it('is what it read, and then what it is told', async () => {
    const { store, listeners, read } = scripted()
    const heard: (string | undefined)[] = []
    store.onState(() => heard.push(store.state()?.version))
    read.resolve(named('read'))
    await read.promise
    listeners.state?.(named('told'))
    expect(heard).toEqual(['read', 'told'])
  })

  it('is not turned back by an answer that comes after something newer', async () => {
    const { store, listeners, read } = scripted()
    listeners.state?.(named('told'))
    read.resolve(named('read'))
    await read.promise
    expect(store.state()?.version).toBe('told')
  })

  it('keeps the moments of each lane and display apart, and only as long as the same is shown', () => {
    const { store, listeners } = scripted()
    listeners.state?.(named('1'))
    listeners.preview?.({ lane: 'screen', displayId: 'a', picture: 'A' })
    listeners.preview?.({ lane: 'screen', displayId: 'b', picture: 'B' })
    listeners.preview?.({ lane: 'microphone', levelDb: -30 })
    expect(store.preview(previewKey('screen', 'a'))?.picture).toBe('A')
    expect(store.preview(previewKey('screen', 'b'))?.picture).toBe('B')
    expect(store.preview(previewKey('microphone'))?.levelDb).toBe(-30)
    listeners.state?.(named('2'))
    expect(store.preview(previewKey('screen', 'a'))?.picture).toBe('A')
    listeners.state?.(named('3', 'recording'))
    expect(store.preview(previewKey('screen', 'a'))).toBeUndefined()
    listeners.preview?.({ lane: 'screen', displayId: 'a', picture: 'C' })
    listeners.state?.(named('4', 'paused'))
    listeners.state?.(named('5', 'recording'))
    expect(store.preview(previewKey('screen', 'a'))?.picture).toBe('C')
  })
})
