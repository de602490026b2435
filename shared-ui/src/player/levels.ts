import { itemsBetween, type Track } from './timeline.ts'

/** A byte says how loud 100 ms were: 0 is −90 dBFS or less, 255 is 0 dBFS. */
const stepMs = 100

/** The loudest level of each of so many columns of a stretch of time, 0 to 1; null where nothing is known. */
export const levelColumns = (
  track: Pick<Track, 'items'>,
  { fromMs, toMs, columns }: { readonly fromMs: number; readonly toMs: number; readonly columns: number },
  levelsOf: (id: string) => Uint8Array | undefined,
): (number | null)[] => {
  const found: (number | null)[] = Array.from({ length: columns }, () => null)
  const widthMs = (toMs - fromMs) / columns
  for (const { id, atMs } of itemsBetween(track, fromMs, toMs)) {
    const levels = levelsOf(id)
    for (let index = 0; levels && index < levels.length; index += 1) {
      const column = Math.floor((atMs + index * stepMs - fromMs) / widthMs)
      if (column >= 0 && column < columns) found[column] = Math.max(found[column] ?? 0, levels[index]! / 255)
    }
  }
  return found
}
