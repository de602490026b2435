import { describe, expect, it } from 'vitest'
import { passwordFault } from './passwords.model.ts'

const owner = { email: 'asha.verma@harbour.example', name: 'Asha Verma', organisation: 'Harbour & Sons' }

describe('the password policy', () => {
  it('asks for 15 characters, or 8 beside a second factor', () => {
    expect(passwordFault('teal kites soa', owner)).toBe('must have at least 15 characters')
    expect(passwordFault('teal kites soar', owner)).toBeUndefined()
    expect(passwordFault('teal ki', { ...owner, secondFactor: true })).toBe('must have at least 8 characters')
    expect(passwordFault('teal kit', { ...owner, secondFactor: true })).toBeUndefined()
  })

  it('takes 256 characters of any kind and not one more, counting what people see as one', () => {
    const long = 'नीला पतंग 🪁 ~'.repeat(30)
    expect(passwordFault(Array.from(long).slice(0, 256).join(''), owner)).toBeUndefined()
    expect(passwordFault(Array.from(long).slice(0, 257).join(''), owner)).toBe('must have at most 256 characters')
    expect(passwordFault('🪁🦊🌊🔥🌙🪵🍋', owner)).toBe('must have at least 15 characters')
    expect(passwordFault('8361 0294 5518 2207', owner)).toBeUndefined()
  })

  it.each([
    'aaaaaaaaaaaaaaaa',
    '1212121212121212',
    '1234567890123456',
    'zyxwvutsrqponmlkj',
    'passwordpassword',
    'Password12345678!',
    'ＰＡＳＳＷＯＲＤ1234567',
    'qwertyuiopasdfghjkl',
    'Correct Horse Battery Staple',
  ])('refuses %s as too common', (password) => {
    expect(passwordFault(password, owner)).toBe('is too common: others try it first')
  })

  it.each([
    'password',
    'P@ssw0rd',
    '12345678',
    '1qaz2wsx',
    'Sunshine1!',
    'trustno1',
    '!!Dr4g0n!!',
    'iloveyou2026',
    'monkeymonkey',
    'abcabcabc',
    'abcd1234',
    '87654321',
    'qwer1234',
  ])('refuses %s as too common beside a second factor, where 8 characters are enough', (password) => {
    expect(passwordFault(password, { ...owner, secondFactor: true })).toBe('is too common: others try it first')
  })

  it.each(['tq7#vLm2', 'teal kit', 'b9 Moss!x'])('takes %s there', (password) => {
    expect(passwordFault(password, { ...owner, secondFactor: true })).toBeUndefined()
  })

  it.each(['asha.verma@harbour.example', 'AshaVerma2026!!!', 'harbour-sons-2026', 'Harbour password 1'])(
    'refuses %s as made of its owner',
    (password) => {
      expect(passwordFault(password, owner)).toBe('must not be made of the address, the name or the organisation')
    },
  )

  it('takes a phrase in which a word of the owner is one among others', () => {
    expect(passwordFault('the harbour freezes at dawn', owner)).toBeUndefined()
  })
})
