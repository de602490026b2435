import { expect, it } from 'vitest'
import { fixedTexts } from './fixed-text.ts'

const fixed = (text: string) => fixedTexts.reduce((done, [pattern, other]) => done.replace(pattern, other), text)

it.each([
  ['Session ses_01m8bv9v0ze5ja3rdc174xd3yk', 'Session ses_01k8example0000000000000000'],
  ['Your code 9XTR-04BQ', 'Your code K7QF-2M9X'],
  [
    'It works once, until Friday, 27 November 2026 at 14:05.',
    'It works once, until Tuesday, 20 January 2099 at 10:34.',
  ],
  ['2 items, 48,213 bytes', '2 items, 1.2 MB'],
  ['शुक्रवार, 27 नवंबर 2026', 'मंगलवार, 20 जनवरी 2099'],
  ['Last contact 14 s ago', 'Last contact 2 s ago'],
  ['http://127.0.0.1:43817/requests/', 'http://service.example/requests/'],
])('%s', (text, expected) => {
  expect(fixed(text)).toBe(expected)
})

it('leaves what is always the same', () => {
  const text = 'A picture every 5 seconds. Two groups of four, such as K7QF-2M9X. At most 90 days after the interview.'
  expect(fixed(text)).toBe(text)
})

it('changes nothing that it has fixed', () => {
  const text = 'ses_01m8bv9v0ze5ja3rdc174xd3yk, Fri 3 May 2027 9:07, 12 kB'
  expect(fixed(fixed(text))).toBe(fixed(text))
})
