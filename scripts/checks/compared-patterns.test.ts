import { expect, it } from 'vitest'
import { patternsAreMatched } from './compared-patterns.ts'

const found = (text: string) =>
  patternsAreMatched.find([{ path: 'server/test/flows/notes/notes.test.ts', text }]).map(({ message }) => message)

it('finds a pattern that stands where a text is compared, which any text would equal', () => {
  for (const text of [
    'expect(error).toMatchObject({ code, message: /not here/ })',
    'expect(error).toMatchObject({ details: [{ message: /not here/ }] })',
    'expect(list).toEqual([1, /not here/])',
    'expect(list).toEqual(expect.arrayContaining([expect.objectContaining({ message: /not here/ })]))',
  ])
    expect(found(text), text).toEqual(['/not here/ is compared as an object'])
})

it('leaves a pattern that is matched', () => {
  for (const text of [
    'expect(error).toMatchObject({ message: expect.stringMatching(/not here/) })',
    'expect(text).toMatch(/not here/)',
    'expect(list.filter((one) => /not here/.test(one))).toEqual([])',
    'expect(list).toEqual(["a", text.replace(/not here/, "")])',
  ])
    expect(found(text), text).toEqual([])
})
