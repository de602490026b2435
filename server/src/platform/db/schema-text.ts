/** Splits SQL into quoted parts (odd positions) and the rest, so that quoted text is never touched. */
const splitQuoted = (sql: string): string[] => sql.split(/('(?:[^']|'')*'|"(?:[^"]|"")*"|`[^`]*`)/)

const normalise = (sql: string): string =>
  splitQuoted(sql)
    .map((part, index) => {
      if (index % 2 === 0) return part.replace(/\s+/g, ' ')
      return part.startsWith('`') ? `"${part.slice(1, -1)}"` : part
    })
    .join('')
    .trim()

/** A definition in one form whatever tool wrote it: single spaces, double quotes, a table's columns on their own lines. */
export const formatDefinition = (sql: string): string => {
  const text = normalise(sql)
  if (!/^create table/i.test(text)) return `${text};`
  let depth = 0
  const parts = splitQuoted(text).map((part, index) => {
    if (index % 2 === 1) return part
    return part.replace(/[(),]/g, (char) => {
      if (char === '(') return depth++ === 0 ? '(\n  ' : '('
      if (char === ')') return --depth === 0 ? '\n)' : ')'
      return depth === 1 ? ',\n  ' : ','
    })
  })
  return `${parts.join('').replace(/\n {3,}/g, '\n  ')};`
}
