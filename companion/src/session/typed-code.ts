import { findCode } from './join-code.ts'

export interface TypedCode {
  readonly text: string
  /** Between which characters the next one goes. */
  readonly caret: number
}

/** Where the group ends that is shown first. */
const group = 4

/** A link may hold a code; it is left as it is. */
const isLink = (text: string): boolean => /[/#:]/.test(text)

/** Look-alikes as the service reads them (Crockford base32): no code has an O, an I or an L. */
const plainOf = (text: string): string =>
  text
    .toUpperCase()
    .replace(/[^0-9A-Z]/g, '')
    .replaceAll('O', '0')
    .replace(/[IL]/g, '1')

/**
 * What was typed or pasted, as a code is shown: `K7QF-2M9X`. The caret stays behind the same character. A dash that is
 * typed by hand stays; one that is left at the end when something was deleted goes (`was`: the text before).
 */
export const groupCode = (typed: string, caret: number, was = ''): TypedCode => {
  if (isLink(typed)) {
    const code = findCode(typed)
    return code === undefined ? { text: typed, caret } : groupCode(code, code.length)
  }
  const plain = plainOf(typed)
  const before = plainOf(typed.slice(0, caret)).length
  const dash = plain.length > group || (plain.length === group && typed.length > was.length && /[-–—]\s*$/.test(typed))
  const text = dash ? `${plain.slice(0, group)}-${plain.slice(group)}` : plain
  const behindDash = before > group || (before === group && dash && caret === typed.length)
  return { text, caret: before + (behindDash ? 1 : 0) }
}

/** Where the caret is when what was `before` has become `after`, for a keyboard that does not tell. */
export const caretAfter = (before: string, after: string): number => {
  const most = Math.min(before.length, after.length)
  let same = 0
  while (same < most && before.at(-1 - same) === after.at(-1 - same)) same += 1
  return after.length - same
}
