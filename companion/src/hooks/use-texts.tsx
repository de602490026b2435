import { fill } from '@integrity/protocol/clients/language'
import { regional } from '@integrity/protocol/clients/regional'
import { createContext, useContext } from 'react'
import { type PhoneLanguage, type PhoneText, phoneLanguages } from '../texts/phone.ts'

export interface Words {
  readonly language: PhoneLanguage
  /** The text of this name, filled in. */
  readonly t: (name: PhoneText, values?: Readonly<Record<string, string | number>>) => string
  readonly choose: (language: PhoneLanguage) => void
}

export const wordsOf = (language: PhoneLanguage, choose: (language: PhoneLanguage) => void): Words => ({
  language,
  choose,
  t: (name, values) => (values ? fill(language.texts[name], values, language.code) : language.texts[name]),
})

export const WordsContext = createContext<Words>(wordsOf(phoneLanguages[0], () => {}))

export const useTexts = (): Words => useContext(WordsContext)

/** How times are written: the language that is spoken, as this device has it (BCP 47). */
export const useLocale = (): string => regional(useTexts().language, [Intl.DateTimeFormat().resolvedOptions().locale])
