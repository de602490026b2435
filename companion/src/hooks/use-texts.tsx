import { fill } from '@integrity/protocol/clients/language'
import type { Texts } from '@integrity/protocol/texts/en/phone'
import { createContext, useContext } from 'react'
import { type Language, languages } from '../texts/languages.ts'

export interface Words {
  readonly language: Language
  /** The text of this name, filled in. */
  readonly t: (name: keyof Texts, values?: Readonly<Record<string, string | number>>) => string
  readonly choose: (language: Language) => void
}

export const wordsOf = (language: Language, choose: (language: Language) => void): Words => ({
  language,
  choose,
  t: (name, values) => (values ? fill(language.texts[name], values, language.code) : language.texts[name]),
})

export const WordsContext = createContext<Words>(wordsOf(languages[0], () => {}))

export const useTexts = (): Words => useContext(WordsContext)
