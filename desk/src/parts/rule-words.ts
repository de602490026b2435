import type { Spoken } from '@integrity/shared-ui/web/spoken'
import { type DeskText, deskLanguages } from '../words/desk.ts'

/** Words with their language where it is not that of the page. */
export interface RuleWords<T> {
  readonly words: T
  readonly lang: 'en' | undefined
}

type T = Spoken<DeskText>['t']

/** Undefined for a rule that is younger than this page: it is shown in its own words, which are English. */
const textOf = (name: string): DeskText | undefined =>
  Object.hasOwn(deskLanguages[0].texts, name) ? (name as DeskText) : undefined

/** What a moment of this rule is called. */
export const ruleTitle = (
  t: T,
  { rule, title }: { readonly rule: string; readonly title: string },
): RuleWords<string> => {
  const text = textOf(`ruleTitle.${rule}`)
  return text ? { words: t(text), lang: undefined } : { words: title, lang: 'en' }
}

/** Why it happens to anybody. */
export const ruleReasons = (
  t: T,
  { rule, commonReasons }: { readonly rule: string; readonly commonReasons: readonly string[] },
): RuleWords<readonly string[]> => {
  const text = textOf(`ruleReasons.${rule}`)
  return text ? { words: t(text).split('\n'), lang: undefined } : { words: commonReasons, lang: 'en' }
}
