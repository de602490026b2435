/** Where half a surrogate pair stands in a value, by the value that was made of it. */
const halves = new WeakMap<object, readonly string[]>()

const mended = (value: unknown, path: string, found: string[]): unknown => {
  if (typeof value === 'string') {
    if (value.isWellFormed()) return value
    found.push(path)
    return value.toWellFormed()
  }
  if (Array.isArray(value))
    return value.map((inner, at) => mended(inner, path === '' ? `${at}` : `${path}.${at}`, found))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => {
      const known = name.toWellFormed()
      const at = path === '' ? known : `${path}.${known}`
      if (known !== name) found.push(at)
      return [known, mended(inner, at, found)]
    }),
  )
}

/** Half a surrogate pair is no text: it becomes U+FFFD, as it would in UTF-8. Where that was is remembered with the value. */
export const withoutHalves = (value: unknown): unknown => {
  const found: string[] = []
  const made = mended(value, '', found)
  if (found.length > 0 && typeof made === 'object' && made !== null) halves.set(made, found)
  return made
}

/** The paths at which a parsed body held half a surrogate pair. */
export const halvesIn = (value: unknown): readonly string[] =>
  typeof value === 'object' && value !== null ? (halves.get(value) ?? []) : []
