import type { ConsentLocale } from '@integrity/protocol'
import { type Letter, letterOf } from '../../../platform/mail/letter.ts'
import { wordsIn } from './statement.say.model.ts'
import type { Change } from './statement.types.ts'

/** So many lines are written out. */
const mostLines = 100

/** Tells what a changed configuration has changed of the statement, line by line. */
export const changedLetter = (
  locale: ConsentLocale,
  { changes, link }: { readonly changes: readonly Change[]; readonly link: string },
): Letter => {
  const t = wordsIn(locale)
  const lines = changes.slice(0, mostLines).map(({ before, after }) => {
    const values = { before: before?.[locale] ?? '', after: after?.[locale] ?? '' }
    if (before === null) return t('change.added', values)
    return t(after === null ? 'change.removed' : 'change.changed', values)
  })
  return letterOf(locale, t('changedSubject'), [
    t('hello'),
    t('changed', { count: changes.length }),
    ...lines.map((words) => ({ words })),
    changes.length > mostLines ? t('changedMore', { count: changes.length - mostLines }) : undefined,
    { link, label: t('changedWhere') },
  ])
}
