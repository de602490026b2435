import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { findCode } from './join-code.ts'
import { caretAfter, groupCode } from './typed-code.ts'

/** Types the keys at the caret, one after the other; `<` deletes backwards, `←` goes back by one. */
const type = (keys: string, text = '', caret = text.length) => {
  let now = { text, caret }
  for (const key of keys) {
    const { text: was, caret: at } = now
    if (key === '←') now = { text: was, caret: at - 1 }
    else if (key === '<') now = groupCode(was.slice(0, at - 1) + was.slice(at), at - 1, was)
    else now = groupCode(was.slice(0, at) + key + was.slice(at), at + 1, was)
  }
  return `${now.text.slice(0, now.caret)}|${now.text.slice(now.caret)}`
}

describe('a code that is typed', () => {
  it('is shown in its two groups, in capitals, with the caret at its end', () => {
    expect(type('k7')).toBe('K7|')
    expect(type('k7qf')).toBe('K7QF|')
    expect(type('k7qf2')).toBe('K7QF-2|')
    expect(type('k7qf2m9x')).toBe('K7QF-2M9X|')
  })

  it('takes a dash that is typed by hand, once', () => {
    expect(type('k7qf-')).toBe('K7QF-|')
    expect(type('k7qf-2m9x')).toBe('K7QF-2M9X|')
    expect(type('k7qf--2')).toBe('K7QF-2|')
    expect(type('k7-qf 2m_9x')).toBe('K7QF-2M9X|')
  })

  it('shows look-alikes as the service reads them', () => {
    expect(type('OoIiLl01')).toBe('0011-1101|')
  })

  it('keeps the caret where the change was', () => {
    expect(type('a', 'K7QF-2M9', 1)).toBe('KA|7Q-F2M9')
    expect(type('<', 'K7QF-2M9X', 6)).toBe('K7QF|-M9X')
    expect(type('<<', 'K7QF-2M9X', 6)).toBe('K7Q|M-9X')
    expect(type('<', 'K7QF-2M9X', 5)).toBe('K7QF|-2M9X')
    expect(type('<a', 'K7QF-2M9X', 6)).toBe('K7QF-A|M9X')
    expect(type('<<<<<', 'K7QF-2M9X')).toBe('K7Q|')
    expect(type('←←←a', 'K7QF-2M9')).toBe('K7QF-A|2M9')
  })

  it('takes what is pasted, whatever its separators, and the code of a link', () => {
    for (const pasted of ['k7qf2m9x', ' K7QF–2M9X ', 'k7_qf.2m-9x', 'https://x.example/companion/#K7QF2M9X'])
      expect(groupCode(pasted, pasted.length)).toEqual({ text: 'K7QF-2M9X', caret: 9 })
    const noCode = 'https://x.example/companion/'
    expect(groupCode(noCode, 3)).toEqual({ text: noCode, caret: 3 })
  })

  it('means the same to the service as what was typed, and is left alone a second time', () => {
    const { typed } = JSON.parse(
      readFileSync(new URL('../../../shared-protocol/vectors/join-codes.json', import.meta.url), 'utf8'),
    ) as { typed: { typed: string; code: string | null }[] }
    const codes = typed.filter(({ code }) => code !== null)
    expect(codes.length).toBeGreaterThan(5)
    for (const { typed: text, code } of codes) {
      const shown = groupCode(text, text.length)
      expect(findCode(shown.text)).toBe(code)
      expect(groupCode(shown.text, shown.caret)).toEqual(shown)
    }
  })

  it('is not shortened to one where it is too long', () => {
    expect(findCode(groupCode('K7QF-2M9XX', 10).text)).toBeUndefined()
  })
})

describe('the caret of a keyboard that does not tell', () => {
  it('is behind what came or went', () => {
    expect(caretAfter('K7QF-2M9', 'K7QF-2M9X')).toBe(9)
    expect(caretAfter('K7QF', 'KA7QF')).toBe(2)
    expect(caretAfter('K7QF', 'K7F')).toBe(2)
    expect(caretAfter('', 'K7QF2M9X')).toBe(8)
  })
})
