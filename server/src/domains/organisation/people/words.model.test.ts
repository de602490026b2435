import { expect, it } from 'vitest'
import { wantedWords, wordsOf } from './words.model.ts'

it('a member is found by their whole address, its words and those of their name, each once', () => {
  expect(wordsOf('asha.rao@example.org', 'Asha Ｒao')).toEqual([
    'asha.rao@example.org',
    'asha',
    'rao',
    'example',
    'org',
  ])
  expect(wordsOf('x@example.org', null)).toEqual(['x@example.org', 'x', 'example', 'org'])
  expect(wordsOf('x@example.org', 'प्रेम शर्मा').slice(-2)).toEqual(['प्रेम', 'शर्मा'])
})

it('what is looked for is made of the same words, an address stays whole, and more than five are left out', () => {
  expect(wantedWords(' RAO  asha@Ex ')).toEqual(['rao', 'asha@ex'])
  expect(wantedWords('O’Neill')).toEqual(['o', 'neill'])
  expect(wantedWords('!?')).toEqual([])
  expect(wantedWords('a b c d e f g')).toHaveLength(5)
  expect(wantedWords('a@\u0000b')).toEqual(['a@b'])
})
