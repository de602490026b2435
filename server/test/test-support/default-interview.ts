/** What an agent captures by the defaults of a session's policy, and how it packs that. */
export interface Captured {
  readonly evidenceType: 'audio_chunk' | 'camera_frame' | 'screenshot' | 'system_audio_chunk'
  /** Since the beginning, when it is whole. */
  readonly atMs: number
}

/** How often each source gives an item, and when its first one is whole: no two begin in the same instant. */
const sources = [
  { evidenceType: 'screenshot', everyMs: 10_000, firstMs: 0 },
  { evidenceType: 'camera_frame', everyMs: 15_000, firstMs: 1000 },
  { evidenceType: 'audio_chunk', everyMs: 10_000, firstMs: 10_300 },
  { evidenceType: 'system_audio_chunk', everyMs: 10_000, firstMs: 10_600 },
] as const

/** In the order in which items come. */
export const capturedIn = (minutes: number): Captured[] =>
  sources
    .flatMap(({ evidenceType, everyMs, firstMs }) =>
      Array.from({ length: (minutes * 60_000) / everyMs }, (_, n) => ({ evidenceType, atMs: firstMs + n * everyMs })),
    )
    .toSorted((a, b) => a.atMs - b.atMs)

/** When the agent has events: what its lanes have observed is said each 10 s. */
export const toldIn = (minutes: number): { readonly atMs: number }[] =>
  Array.from({ length: minutes * 6 }, (_, n) => ({ atMs: (n + 1) * 10_000 }))

/** How long an agent's item or event waits for others while nobody looks on. */
export const agentGathersMs = 41_000

/** As the agent's `PackChoice`: the first item at once, then whatever has come since the first that waits, so long after it. */
export const packsOf = <Item extends { readonly atMs: number }>(
  items: readonly Item[],
  gathersMs: number,
): Item[][] => {
  const packs: Item[][] = []
  let open: Item[] = []
  for (const item of items) {
    const [first] = open
    const isOver = first && (packs.length === 0 || item.atMs > first.atMs + gathersMs)
    if (isOver) packs.push(open)
    open = isOver ? [item] : [...open, item]
  }
  return open.length > 0 ? [...packs, open] : packs
}
