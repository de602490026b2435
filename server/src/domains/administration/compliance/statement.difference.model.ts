import type { Change, KeptSentence } from './statement.types.ts'

/** What a configuration has changed, a line for each sentence; words of the service that are new are no change. */
export const differenceOf = (before: readonly KeptSentence[], after: readonly KeptSentence[]): Change[] => {
  const configured = (sentences: readonly KeptSentence[]) =>
    new Map(sentences.filter(({ facts }) => facts !== null).map((one) => [one.key, one]))
  const [old, now] = [configured(before), configured(after)]
  return [
    ...[...old.values()].flatMap((one): Change[] => {
      const next = now.get(one.key)
      if (next?.facts === one.facts) return []
      return [{ before: one.text, after: next?.text ?? null }]
    }),
    ...[...now.values()].filter(({ key }) => !old.has(key)).map(({ text }) => ({ before: null, after: text })),
  ]
}
