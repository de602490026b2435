import type { QueuedItem } from './types.ts'

/**
 * Chooses stills to drop until `needed` bytes (of files) are free: every second one of a lane and display, beginning
 * with the oldest, then every second of what is left, and so on, so that a long outage thins evenly instead of cutting a
 * hole. The first still of each display always stays. May free less than needed; the caller looks.
 */
export const chooseThinned = (stills: readonly QueuedItem[], needed: number): QueuedItem[] => {
  const chosen: QueuedItem[] = []
  let freed = 0
  let left = stills
  while (freed < needed) {
    const places = new Map<string, number>()
    const kept: QueuedItem[] = []
    let took = false
    for (const still of left) {
      const key = `${still.lane}\n${still.displayId}`
      const place = places.get(key) ?? 0
      places.set(key, place + 1)
      if (place % 2 === 1 && freed < needed) {
        chosen.push(still)
        freed += still.fileBytes
        took = true
      } else {
        kept.push(still)
      }
    }
    if (!took) break
    left = kept
  }
  return chosen
}
