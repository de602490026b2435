/** Stands for the rest of a text, of an object's fields or of a list's items in what the guide shows. */
const rest = '…'
const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** Whether a text is as shown: equal, both an instant, or equal around each `…`. */
const textMatches = (expected: string, actual: string): boolean =>
  expected === actual ||
  (instant.test(expected) && instant.test(actual)) ||
  (expected.includes(rest) && new RegExp(`^${expected.split(rest).map(escaped).join('.*')}$`, 's').test(actual))

type Json = Readonly<Record<string, unknown>>
const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Where an answer is not what the guide shows, as paths with both values. */
export const differences = (expected: unknown, actual: unknown, at = '$'): string[] => {
  if (typeof expected === 'string' && typeof actual === 'string' && textMatches(expected, actual)) return []
  if (Array.isArray(expected) && Array.isArray(actual)) {
    const open = expected.at(-1) === rest
    const items = open ? expected.slice(0, -1) : expected
    const length = open ? actual.length >= items.length : actual.length === items.length
    if (!length) return [`${at}: ${items.length} items shown, ${actual.length} came`]
    return items.flatMap((item, index) => differences(item, actual[index], `${at}[${index}]`))
  }
  if (isObject(expected) && isObject(actual)) {
    const names = new Set([...Object.keys(expected), ...(rest in expected ? [] : Object.keys(actual))])
    return [...names]
      .filter((name) => name !== rest)
      .flatMap((name) => differences(expected[name], actual[name], `${at}.${name}`))
  }
  return Object.is(expected, actual) ? [] : [`${at}: ${JSON.stringify(expected)} shown, ${JSON.stringify(actual)} came`]
}

/** The lines the guide shows that did not come, each after the one before it. Letter case is not compared. */
export const missingLines = (expected: string, actual: string): string[] => {
  const came = actual.split('\n').map((line) => line.trim().toLowerCase())
  let from = 0
  return expected.split('\n').flatMap((line) => {
    if (line.trim() === rest || line.trim() === '') return []
    const found = came.findIndex((text, index) => index >= from && textMatches(line.trim().toLowerCase(), text))
    if (found < 0) return [line]
    from = found + 1
    return []
  })
}
