import { type ReactNode, useCallback, useState } from 'react'
import { chooseLanguage, chosenLanguage } from '../browser/chosen-language.ts'
import type { Texts } from '../texts/en.ts'
import { languages } from '../texts/languages.ts'
import { type Spoken, SpokenLanguage, useSpoken } from '../ui/spoken.tsx'

/** The language of everything inside: chosen here before, else what the browser prefers. */
export const LanguageProvider = ({ children }: { readonly children: ReactNode }) => {
  const [language, setLanguage] = useState(chosenLanguage)
  const choose = useCallback((code: string) => setLanguage(chooseLanguage(code)), [])
  return (
    <SpokenLanguage languages={languages} language={language} onChoose={choose}>
      {children}
    </SpokenLanguage>
  )
}

export const useLanguage: () => Spoken<keyof Texts> = useSpoken
