import { derivedKinds } from '@integrity/protocol'
import type { DerivedEntry } from './timeline.types.ts'

/** As the places of the timeline are compared. */
interface DerivedPlace {
  readonly at: number
  readonly rank: number
  readonly sequence: number
  readonly tie: string
}

/** Behind everything that has a table of its own. */
const firstRank = 8

const rankOf = ({ kind }: DerivedEntry): number => firstRank + derivedKinds.indexOf(kind)

export const placeOf = (entry: DerivedEntry): DerivedPlace => ({
  at: entry.at,
  rank: rankOf(entry),
  sequence: 0,
  tie: entry.id,
})

export const byPlace = (a: DerivedPlace, b: DerivedPlace): number =>
  a.at - b.at || a.rank - b.rank || a.sequence - b.sequence || (a.tie < b.tie ? -1 : a.tie > b.tie ? 1 : 0)

/** Those behind a key of the timeline. */
export const behind = (
  places: readonly DerivedPlace[],
  after: readonly (string | number)[] | undefined,
): readonly DerivedPlace[] => {
  if (!after) return places
  const [at, rank, sequence, tie] = after
  const key = { at: Number(at), rank: Number(rank), sequence: Number(sequence), tie: String(tie) }
  return places.filter((place) => byPlace(place, key) > 0)
}
