/** Longer names are not treated as misspellings, and are not repeated in full. */
export const longestName = 64

/** How many letters must be put in, taken out, replaced or swapped with their neighbour (optimal string alignment). */
const distance = (a: string, b: string): number => {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_column, at) => at)]
  for (let i = 1; i <= a.length; i++) {
    const [above, row] = [rows[i - 1]!, [i]]
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      const changed = Math.min(above[j]! + 1, row[j - 1]! + 1, above[j - 1]! + cost)
      row.push(swapped ? Math.min(changed, rows[i - 2]![j - 2]! + 1) : changed)
    }
    rows.push(row)
  }
  return rows.at(-1)!.at(-1)!
}

/** `external_id` and `External-Id` are `externalId` in another dialect. */
const bare = (name: string): string => name.toLowerCase().replaceAll(/[_\-. ]/g, '')

/** The known name that was most likely meant; `undefined` when none is near. */
export const nearestName = (name: string, known: readonly string[]): string | undefined => {
  if (name.length > longestName) return undefined
  const given = bare(name)
  const most = Math.max(1, Math.floor(given.length / 3))
  const [best] = known
    .map((candidate) => ({ candidate, away: distance(given, bare(candidate)) }))
    .sort((a, b) => a.away - b.away)
  return best && best.away <= most ? best.candidate : undefined
}
