import type { RecordEntry } from './audit.records.store.ts'

/** Numbers of records, from the first to the last of a batch. */
export interface Range {
  readonly first: number
  readonly last: number
}

/** What a batch's row says in its target, `SESSION#FIRST-LAST`; nothing for a batch that brought nothing new. */
export const rangeOf = ({ target }: Pick<RecordEntry, 'target'>): Range | undefined => {
  const [, first, last] = /#(\d+)-(\d+)$/.exec(target) ?? []
  return first === undefined || last === undefined ? undefined : { first: Number(first), last: Number(last) }
}

export const rangeText = (sessionId: string, before: number, count: number): string =>
  `${sessionId}#${count === 0 ? 'none' : `${before + 1}-${before + count}`}`
