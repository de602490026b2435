import { createContext, type ReactNode, use, useCallback, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import type { CommandInput, CommandName } from '../../../shared/ipc/channels.ts'
import type { Preview, Problem, WindowState } from '../../../shared/ipc/window-state.ts'
import { type AgentStore, previewKey } from '../state/agent-store.ts'
import { MessagePage } from './shell.tsx'

/** A command is sent once until it is answered, however often its button is pressed. */
type Send = <N extends Exclude<CommandName, 'state.read'>>(name: N, input: CommandInput<N>) => void

interface Agent {
  readonly store: AgentStore
  readonly state: WindowState
  readonly send: Send
  readonly busy: (name: CommandName) => boolean
  /** What the core says is wrong, else what the last command was answered with. */
  readonly problem: Problem | undefined
}

const Given = createContext<Agent | undefined>(undefined)

export const useAgent = (): Agent => {
  const agent = use(Given)
  if (!agent) throw new Error('outside of an AgentProvider')
  return agent
}

interface Answered {
  readonly problem: Problem
  /** It is spoken of as long as the window stands there. */
  readonly screen: WindowState['screen'] | undefined
}

const useCommands = (store: AgentStore) => {
  const running = useRef(new Map<string, CommandName>())
  const [, setCount] = useState(0)
  const [answered, setAnswered] = useState<Answered>()
  const send = useCallback<Send>(
    (name, input) => {
      const key = `${name} ${JSON.stringify(input)}`
      if (running.current.has(key)) return
      running.current.set(key, name)
      setCount((count) => count + 1)
      setAnswered(undefined)
      const end = (problem?: Problem) => {
        running.current.delete(key)
        setCount((count) => count + 1)
        if (problem) setAnswered({ problem, screen: store.state()?.screen })
      }
      store.bridge.call(name, input).then(
        (outcome) => end('done' in outcome && !outcome.done ? outcome.problem : undefined),
        (error: unknown) => end({ code: 'unexpected', detail: error instanceof Error ? error.message : String(error) }),
      )
    },
    [store],
  )
  const busy = (name: CommandName) => [...running.current.values()].includes(name)
  return { send, busy, answered }
}

/** Everything inside is drawn from the newest state of the agent. */
export const AgentProvider = ({ store, children }: { readonly store: AgentStore; readonly children: ReactNode }) => {
  const state = useSyncExternalStore(store.onState, store.state)
  const { send, busy, answered } = useCommands(store)
  if (!state) return <MessagePage title="loadingTitle" />
  const problem = state.problem ?? (answered?.screen === state.screen ? answered.problem : undefined)
  return <Given value={{ store, state, send, busy, problem }}>{children}</Given>
}

/** The newest moment of what a lane, or one display of it, sees or hears. */
export const usePreview = (lane: string, displayId?: string): Preview | undefined => {
  const { store } = useAgent()
  const key = useMemo(() => previewKey(lane, displayId), [lane, displayId])
  return useSyncExternalStore(store.onPreview, () => store.preview(key))
}
