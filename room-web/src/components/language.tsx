import type { Texts } from '@integrity/protocol/texts/en/room'
import { type ReactNode, useCallback, useState } from 'react'
import { chooseLanguage, chosenLanguage, type Languages } from '../browser/chosen-language.ts'
import { type Language, type Spoken, SpokenLanguage, useSpoken } from '../ui/spoken.tsx'

interface Props<Text extends string> {
  /** Those that the page is written in. */
  readonly languages: Languages<Language<Text>>
  readonly children: ReactNode
}

/** The language of everything inside: chosen here before, else what the browser prefers. */
export const LanguageProvider = <Text extends string>({ languages, children }: Props<Text>) => {
  const [language, setLanguage] = useState(() => chosenLanguage(languages))
  const choose = useCallback((code: string) => setLanguage(chooseLanguage(languages, code)), [languages])
  return (
    <SpokenLanguage languages={languages} language={language} onChoose={choose}>
      {children}
    </SpokenLanguage>
  )
}

/** How the pages of the room speak. */
export const useLanguage: () => Spoken<keyof Texts> = useSpoken
