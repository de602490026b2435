import type { ConsentLocale } from '@integrity/protocol'
import { isoOrNull } from '../../../kernel/time.ts'
import { wordsIn } from './statement.say.model.ts'
import type { Sentence } from './statement.types.ts'

interface Shown {
  readonly orgId: string
  readonly name: string
  readonly number: number
  readonly changedAt: number | null
  readonly locale: ConsentLocale
  readonly sentences: readonly Sentence[]
}

/** The statement as it is signed, in a language. */
export const documentOf = ({ orgId, name, number, changedAt, locale, sentences }: Shown) => ({
  format: 'statement/1' as const,
  organisation: { id: orgId, name },
  number,
  changedAt: isoOrNull(changedAt),
  locale,
  sentences: sentences.map(({ section, text, heldBy }) => ({
    section,
    text: text[locale],
    heldBy: { ...heldBy, name: wordsIn(locale)(heldBy.name) },
  })),
})
export type StatementDocument = ReturnType<typeof documentOf>
