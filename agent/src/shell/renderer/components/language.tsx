import { pickLanguage } from '@integrity/protocol/clients/language'
import { type Spoken, SpokenLanguage, useSpoken } from '@integrity/shared-ui/web/spoken'
import { type ReactNode, useCallback, useState, useSyncExternalStore } from 'react'
import type { AgentStore } from '../state/agent-store.ts'
import { type WindowText, windowLanguages } from '../texts/window.ts'

const never = () => () => {}

interface Props {
  readonly store: AgentStore | undefined
  readonly children: ReactNode
}

/** The language of everything inside: chosen here, else what the agent knows, else what the system prefers. */
export const LanguageProvider = ({ store, children }: Props) => {
  const known = useSyncExternalStore(store?.onState ?? never, () => store?.state()?.locale)
  const [chosen, setChosen] = useState<string>()
  const language = pickLanguage(windowLanguages, [chosen, known, ...navigator.languages])
  const choose = useCallback(
    (code: string) => {
      setChosen(code)
      // Shown at once; that the agent remembers it is a convenience.
      store?.bridge.call('app.locale', { locale: code }).catch(() => {})
    },
    [store],
  )
  return (
    <SpokenLanguage languages={windowLanguages} language={language} onChoose={choose}>
      {children}
    </SpokenLanguage>
  )
}

export const useLanguage: () => Spoken<WindowText> = useSpoken
