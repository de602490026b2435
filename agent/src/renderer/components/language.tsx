import { fill, pickLanguage } from '@integrity/protocol/clients/language'
import { createContext, type ReactNode, use, useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import type { AgentStore } from '../state/agent-store.ts'
import type { TextKey } from '../texts/en.ts'
import { type Language, languages } from '../texts/languages.ts'

type Values = Readonly<Record<string, string | number>>
interface Spoken {
  readonly language: Language
  /** The text of a key in the language of the window, filled in. */
  readonly t: (key: TextKey, values?: Values) => string
  readonly choose: (code: string) => void
}

const Speaking = createContext<Spoken | undefined>(undefined)
const never = () => () => {}

interface Props {
  readonly store: AgentStore | undefined
  readonly children: ReactNode
}

/** The language of everything inside: chosen here, else what the agent knows, else what the system prefers. */
export const LanguageProvider = ({ store, children }: Props) => {
  const known = useSyncExternalStore(store?.onState ?? never, () => store?.state()?.locale)
  const [chosen, setChosen] = useState<string>()
  const language: Language = pickLanguage<Language>(languages, [chosen, known, ...navigator.languages])
  useEffect(() => {
    document.documentElement.lang = language.code
    document.documentElement.dir = language.direction
  }, [language])
  const spoken = useMemo(
    () => ({
      language,
      t: (name: TextKey, values: Values = {}) => fill(language.texts[name], values, language.code),
      choose: (code: string) => {
        setChosen(code)
        // Shown at once; that the agent remembers it is a convenience.
        store?.bridge.call('app.locale', { locale: code }).catch(() => {})
      },
    }),
    [language, store],
  )
  return <Speaking value={spoken}>{children}</Speaking>
}

export const useLanguage = (): Spoken => {
  const spoken = use(Speaking)
  if (!spoken) throw new Error('outside of a LanguageProvider')
  return spoken
}

export const LanguageSwitch = () => {
  const { language, t, choose } = useLanguage()
  return (
    <fieldset className="languages" aria-label={t('languageLabel')}>
      {languages.map(({ code, texts }) => (
        <button key={code} type="button" lang={code} aria-pressed={code === language.code} onClick={() => choose(code)}>
          {texts.languageName}
        </button>
      ))}
    </fieldset>
  )
}
