import { fill } from '@integrity/protocol/clients/language'
import { createContext, type ReactNode, use, useEffect, useMemo, useState } from 'react'
import { chooseLanguage, chosenLanguage } from '../browser/chosen-language.ts'
import type { Texts } from '../texts/en.ts'
import { type Language, languages } from '../texts/languages.ts'

type Values = Readonly<Record<string, string | number>>
interface Spoken {
  readonly language: Language
  /** The text of a key in the language of the page, filled in. */
  readonly t: (key: keyof Texts, values?: Values) => string
  readonly choose: (code: string) => void
}

const Speaking = createContext<Spoken | undefined>(undefined)

/** The language of everything inside: chosen here before, else what the browser prefers. */
export const LanguageProvider = ({ children }: { readonly children: ReactNode }) => {
  const [language, setLanguage] = useState(chosenLanguage)
  useEffect(() => {
    document.documentElement.lang = language.code
    document.documentElement.dir = language.direction
  }, [language])
  const spoken = useMemo(
    () => ({
      language,
      t: (name: keyof Texts, values: Values = {}) => fill(language.texts[name], values, language.code),
      choose: (code: string) => setLanguage(chooseLanguage(code)),
    }),
    [language],
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
