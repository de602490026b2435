import { type ConsentLocale, consentLocales, type StatementSection } from '@integrity/protocol'
import { fillPlain } from '@integrity/protocol/clients/language'
import { statementTexts } from '@integrity/protocol/texts/areas/statement'
import type { HeldBy, KeptSentence, Sentence } from './statement.types.ts'

type Word = keyof (typeof statementTexts)['en']
export type StatementWords = (word: Word, values?: Readonly<Record<string, string | number>>) => string

/** The statement's words in a language. */
export const wordsIn =
  (locale: ConsentLocale): StatementWords =>
  (word, values = {}) =>
    fillPlain(statementTexts[locale][word], values, locale)

interface Said {
  readonly section: StatementSection
  readonly key: string
  readonly heldBy: HeldBy
  /** Absent for what no configuration changes. */
  readonly facts?: unknown
  readonly text: (t: StatementWords, locale: ConsentLocale) => string
}

/** A sentence in each language. */
export const say = ({ section, key, heldBy, facts, text }: Said): Sentence => ({
  section,
  key,
  heldBy,
  facts: facts === undefined ? null : JSON.stringify(facts),
  text: Object.fromEntries(
    consentLocales.map((locale) => [locale, text(wordsIn(locale), locale)]),
  ) as unknown as KeptSentence['text'],
})
