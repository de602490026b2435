/** Semantic Versioning 2.0.0 without build metadata: `1.4.0`, `2.0.0-beta.3`. */
export const versionPattern =
  /^(?:0|[1-9]\d{0,8})\.(?:0|[1-9]\d{0,8})\.(?:0|[1-9]\d{0,8})(?:-(?:0|[1-9]\d*|\d*[A-Za-z-][0-9A-Za-z-]*)(?:\.(?:0|[1-9]\d*|\d*[A-Za-z-][0-9A-Za-z-]*))*)?$/

const parse = (version: string): { core: number[]; pre: string[] } => {
  if (!versionPattern.test(version)) throw new TypeError(`not a version: ${version}`)
  const dash = version.indexOf('-')
  const core = dash === -1 ? version : version.slice(0, dash)
  return { core: core.split('.').map(Number), pre: dash === -1 ? [] : version.slice(dash + 1).split('.') }
}

const isNumeric = (text: string): boolean => /^\d+$/.test(text)

/** Numbers by value and before words, words by their characters (Semantic Versioning 2.0.0, section 11.4). */
const comparePart = (a: string, b: string): number => {
  if (a === b) return 0
  if (isNumeric(a) && isNumeric(b)) return a.length === b.length ? (a < b ? -1 : 1) : a.length - b.length
  if (isNumeric(a) !== isNumeric(b)) return isNumeric(a) ? -1 : 1
  return a < b ? -1 : 1
}

/** Below, at or above zero as `a` is older than, the same as or newer than `b`. Throws a TypeError for what is no version. */
export const compareVersions = (a: string, b: string): number => {
  const [left, right] = [parse(a), parse(b)]
  for (const [index, number] of left.core.entries()) {
    const difference = number - (right.core[index] ?? 0)
    if (difference !== 0) return difference
  }
  // A version without a pre-release is newer than the same one with.
  if (left.pre.length === 0 || right.pre.length === 0) return right.pre.length - left.pre.length
  for (const [index, part] of left.pre.entries()) {
    const other = right.pre[index]
    if (other === undefined) return 1
    const difference = comparePart(part, other)
    if (difference !== 0) return difference
  }
  return left.pre.length - right.pre.length
}
