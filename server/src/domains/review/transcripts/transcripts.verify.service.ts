import { payloadHolds } from '../../../kernel/audit/audit.digest.ts'
import { type RecordEntry, recordEntries, type SessionPlace } from '../../../kernel/audit/audit.records.store.ts'
import { type Range, rangeOf } from '../../../kernel/audit/audit.records.ts'
import type { Reader } from '../../../platform/db/types.ts'
import { type WordsPayload, wordsHash } from './transcripts.binding.model.ts'
import { segmentsBehind } from './transcripts.store.ts'

const action = 'session.transcript_changed'
const pageRows = 500

interface Told {
  /** By their numbers, of those that nothing has replaced since. */
  readonly hashes: Map<number, string>
  /** Whether one may be there of which no hash is known: it is from before there were any. */
  readonly mayBe: (number: number) => boolean
}

/** What the trail says stands there; or the number where it does not go on as it should. */
const readTold = (entries: readonly RecordEntry[]): Told | number => {
  const hashes = new Map<number, string>()
  const gone = new Set<number>()
  const unknown: Range[] = []
  let next = 1
  for (const entry of entries) {
    const range = rangeOf(entry)
    if (!range) continue
    if (range.first !== next) return next
    next = range.last + 1
    if (entry.payloadHash === null) {
      unknown.push(range)
      continue
    }
    if (entry.payload === null || entry.salt === null || !payloadHolds(entry)) return range.first
    const said = JSON.parse(entry.payload) as WordsPayload
    for (const [n, hash] of said.hashes.entries()) hashes.set(range.first + n, hash)
    for (const number of said.replaced) {
      hashes.delete(number)
      gone.add(number)
    }
  }
  const isUnknown = (number: number) => unknown.some(({ first, last }) => number >= first && number <= last)
  return { hashes, mayBe: (number) => !gone.has(number) && isUnknown(number) }
}

const compare = async (reader: Reader, place: SessionPlace, entries: readonly RecordEntry[]) => {
  const told = readTold(entries)
  if (typeof told === 'number') return told
  for (let after = 0; ; ) {
    const rows = await segmentsBehind(reader, place, { after, take: pageRows })
    for (const row of rows) {
      const hash = told.hashes.get(row.changeSeq)
      if (hash === undefined ? !told.mayBe(row.changeSeq) : hash !== wordsHash(place, row)) return row.changeSeq
      told.hashes.delete(row.changeSeq)
      after = row.changeSeq
    }
    if (rows.length < pageRows) break
  }
  const [missing] = told.hashes.keys()
  return missing
}

/**
 * The number of the first change of a session's transcript that does not stand there as the audit trail says: other words,
 * none, or some that it does not know of. Words that arrive meanwhile make no difference.
 */
export const firstForeignWords = async (reader: Reader, place: SessionPlace): Promise<number | undefined> => {
  for (let before: number | undefined; ; ) {
    const entries = await recordEntries(reader, place, { action, after: 0 })
    if (entries.length === before) return compare(reader, place, entries)
    const wrong = await compare(reader, place, entries)
    if (wrong === undefined) return undefined
    before = entries.length
  }
}
