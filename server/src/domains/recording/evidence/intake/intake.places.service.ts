import type { EvidenceType } from '@integrity/protocol'
import type { Writes } from '../../../../kernel/call.ts'
import { takePositions } from '../evidence.store.ts'
import type { EvidenceRow, Item, PlayPlace } from '../evidence.types.ts'
import { playPlaceOf, sequenceOf } from '../playback.model.ts'
import { findNeighbours, type Numbered } from '../playback.store.ts'

type Place = PlayPlace & Pick<EvidenceRow, 'position' | 'typePosition'>

const nearest = (
  found: Numbered | undefined,
  own: readonly Numbered[],
  isNearer: (a: Numbered, b: Numbered) => boolean,
) => own.reduce<Numbered | undefined>((best, one) => (!best || isNearer(one, best) ? one : best), found)

/** Of a type, what is next below a number above which nothing is stored. */
type Top = Awaited<ReturnType<typeof findNeighbours>> & { readonly from: number }

/** Pieces come in their order: where nothing is numbered above one, the same is next below all that follow it. */
const neighboursOf = async (
  { tx, scope }: Writes,
  place: { readonly sessionId: string; readonly evidenceType: EvidenceType },
  sequence: number,
  tops: Map<EvidenceType, Top>,
): Promise<Omit<Top, 'from'>> => {
  const top = tops.get(place.evidenceType)
  if (top && sequence >= top.from) return top
  const found = await findNeighbours(tx, scope, place, sequence)
  if (!found.behind) tops.set(place.evidenceType, { ...found, from: sequence })
  return found
}

/** Where sound is played, one piece after the other: each has those before it among its neighbours. */
const playPlaces = async (call: Writes, sessionId: string, items: readonly Item[]): Promise<PlayPlace[]> => {
  const tops = new Map<EvidenceType, Top>()
  const placed = new Map<EvidenceType, Numbered[]>()
  const places: PlayPlace[] = []
  for (const item of items) {
    const { capturedAt, evidenceType } = item
    const sequence = sequenceOf(item)
    if (sequence === undefined) {
      places.push({ sequence: -1, playedAt: null })
      continue
    }
    const own = placed.get(evidenceType) ?? []
    const stored = await neighboursOf(call, { sessionId, evidenceType }, sequence, tops)
    const below = own.filter((one) => one.sequence <= sequence)
    const above = own.filter((one) => one.sequence > sequence)
    const place = playPlaceOf(
      { capturedAt, sequence },
      {
        before: nearest(stored.before, below, (a, b) => a.sequence > b.sequence),
        behind: nearest(stored.behind, above, (a, b) => a.sequence < b.sequence),
      },
    )
    places.push(place)
    if (place.sequence >= 0) own.push({ sequence, at: place.playedAt ?? capturedAt })
    placed.set(evidenceType, own)
  }
  return places
}

/** Where each of some new items stands in its session, among those of its type, and in playing. Call with the session locked. */
export const takePlaces = async (
  call: Writes,
  { sessionId, items }: { readonly sessionId: string; readonly items: readonly Item[] },
): Promise<Place[]> => {
  const { tx, scope } = call
  const plays = await playPlaces(call, sessionId, items)
  const nextOfType = new Map<EvidenceType, number>()
  let last = 0
  for (const evidenceType of new Set(items.map((item) => item.evidenceType))) {
    const ofType = items.filter((item) => item.evidenceType === evidenceType)
    const sizeBytes = ofType.reduce((sum, item) => sum + item.sizeBytes, 0)
    const amount = { objects: ofType.length, sizeBytes }
    const { position, typePosition } = await takePositions(tx, scope, { sessionId, evidenceType }, amount)
    nextOfType.set(evidenceType, typePosition - ofType.length + 1)
    last = position
  }
  return items.map(({ evidenceType }, n) => {
    const typePosition = nextOfType.get(evidenceType) ?? 1
    nextOfType.set(evidenceType, typePosition + 1)
    return { position: last - items.length + 1 + n, typePosition, ...plays[n]! }
  })
}
