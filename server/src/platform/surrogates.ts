/** Where half a surrogate pair stands in a value, by the value that was made of it. */
const halves = new WeakMap<object, readonly string[]>()

/** Also where the name is `__proto__`, which an assignment would not write. */
const write = (holder: object, name: string, value: unknown): void => {
  Object.defineProperty(holder, name, { value, configurable: true, enumerable: true, writable: true })
}

/** Writes only where there is one, so that a body with one of them costs no second body. */
const mend = (value: unknown, path: string, found: string[]): unknown => {
  if (typeof value === 'string') {
    if (value.isWellFormed()) return value
    found.push(path)
    return value.toWellFormed()
  }
  if (typeof value !== 'object' || value === null) return value
  for (const [name, inner] of Object.entries(value)) {
    const known = name.toWellFormed()
    const at = path === '' ? known : `${path}.${known}`
    const mended = mend(inner, at, found)
    if (known === name) {
      if (mended !== inner) write(value, name, mended)
      continue
    }
    found.push(at)
    delete (value as Record<string, unknown>)[name]
    write(value, known, mended)
  }
  return value
}

/** Half a surrogate pair is no text: it becomes U+FFFD, as it would in UTF-8. Where that was is remembered with the value. */
export const withoutHalves = (value: unknown): unknown => {
  const found: string[] = []
  const made = mend(value, '', found)
  if (found.length > 0 && typeof made === 'object' && made !== null) halves.set(made, found)
  return made
}

/** The paths at which a parsed body held half a surrogate pair. */
export const halvesIn = (value: unknown): readonly string[] =>
  typeof value === 'object' && value !== null ? (halves.get(value) ?? []) : []
