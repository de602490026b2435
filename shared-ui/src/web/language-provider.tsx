import type { Catalogue } from '@integrity/protocol/texts/catalogue'
import { type ReactNode, useCallback, useState } from 'react'
import { chooseLanguage, chosenLanguage } from '../browser/chosen-language.ts'
import { SpokenLanguage, type UiText } from './spoken.tsx'

interface Props {
  /** Those that the page is written in. */
  readonly languages: Catalogue<UiText>
  readonly children: ReactNode
}

/** The language of everything inside: chosen here before, else what the browser prefers. */
export const LanguageProvider = ({ languages, children }: Props) => {
  const [language, setLanguage] = useState(() => chosenLanguage(languages))
  const choose = useCallback((code: string) => setLanguage(chooseLanguage(languages, code)), [languages])
  return (
    <SpokenLanguage languages={languages} language={language} onChoose={choose}>
      {children}
    </SpokenLanguage>
  )
}
