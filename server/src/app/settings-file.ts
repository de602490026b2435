/**
 * The lines of a settings file as systemd reads them for a unit's `EnvironmentFile=` (systemd.exec(5)), so that the operator's
 * command and the service have the same settings from the same file. No shell: `$`, `&`, `<` and spaces stand for themselves.
 * `#` and `;` begin a comment at the start of a line only. A value may be quoted; a backslash takes the next character, or
 * joins lines; between single quotes it is one itself.
 */
export interface SettingsText {
  readonly settings: Readonly<Record<string, string>>
  /** What systemd passes over: lines without `=`, and names that are none, such as `export A`. */
  readonly ignored: readonly string[]
}

const isSpace = (char: string): boolean => char === ' ' || char === '\t' || char === '\r' || char === '\n'
const isComment = (char: string): boolean => char === '#' || char === ';'
/** What a backslash takes between double quotes; before anything else it stays. */
const escapable = '"\\`$'

/** One value from `at` on, to the end of its line: `end` is where the next line begins. */
const readValue = (text: string, at: number): { value: string; end: number } => {
  let value = ''
  /** Length up to which nothing is cut off at the end: white space within quotes or after a backslash stays. */
  let kept = 0
  let mode: 'before' | 'bare' | "'" | '"' = 'before'
  let n = at
  const add = (char: string, isKept: boolean): void => {
    value += char
    if (isKept) kept = value.length
  }
  for (; n < text.length; n += 1) {
    const char = text[n]!
    const next = text[n + 1]
    if (mode === "'" || mode === '"') {
      if (char === mode) mode = 'before'
      else if (mode === '"' && char === '\\' && next !== undefined) {
        n += 1
        if (next !== '\n') add(escapable.includes(next) ? next : `\\${next}`, true)
      } else add(char, true)
      continue
    }
    if (char === '\n') break
    if (char === '\\') {
      n += 1
      mode = 'bare'
      if (next !== undefined && next !== '\n') add(next, true)
    } else if (mode === 'before' && (char === "'" || char === '"')) mode = char
    else if (mode === 'bare' || !isSpace(char)) {
      mode = 'bare'
      add(char, !isSpace(char))
    }
  }
  return { value: value.slice(0, kept), end: n + 1 }
}

/** Reads such a file. Of two lines with one name the later one counts. */
export const parseSettings = (text: string): SettingsText => {
  const settings: Record<string, string> = {}
  const ignored: string[] = []
  for (let at = 0; at < text.length; ) {
    if (isSpace(text[at]!)) {
      at += 1
      continue
    }
    const lineEnd = text.indexOf('\n', at) === -1 ? text.length : text.indexOf('\n', at)
    const equals = text.indexOf('=', at)
    if (isComment(text[at]!)) at = lineEnd + 1
    else if (equals === -1 || equals > lineEnd) {
      ignored.push(text.slice(at, lineEnd).trimEnd())
      at = lineEnd + 1
    } else {
      const name = text.slice(at, equals).trimEnd()
      const { value, end } = readValue(text, equals + 1)
      if (/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) settings[name] = value
      else ignored.push(name)
      at = end
    }
  }
  return { settings, ignored }
}
