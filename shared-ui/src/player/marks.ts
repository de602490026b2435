/** Something that happened at an instant, drawn on the axis. */
export interface Mark {
  readonly atMs: number
  readonly kind: 'moment' | 'note'
}

export interface DrawnMark {
  /** In whole pixels. */
  readonly x: number
  readonly kind: Mark['kind']
}

/** One mark for each pixel and kind, however many lie there: twenty thousand are drawn as fast as a thousand. */
export const drawnMarks = (
  marks: readonly Mark[],
  { fromMs, toMs, width }: { readonly fromMs: number; readonly toMs: number; readonly width: number },
): DrawnMark[] => {
  const seen = new Set<number>()
  const drawn: DrawnMark[] = []
  for (const { atMs, kind } of marks) {
    const x = Math.round(((atMs - fromMs) / (toMs - fromMs)) * (width - 1))
    const place = x * 2 + (kind === 'note' ? 1 : 0)
    if (!Number.isFinite(x) || x < 0 || x >= width || seen.has(place)) continue
    seen.add(place)
    drawn.push({ x, kind })
  }
  return drawn
}
