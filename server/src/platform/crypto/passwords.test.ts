import { describe, expect, it } from 'vitest'
import { hashPassword, verifyPassword } from './passwords.ts'

describe('a password', () => {
  it('is kept as argon2id at 19 MiB and two passes, never alike twice', async () => {
    const [one, other] = await Promise.all([hashPassword('correct horse'), hashPassword('correct horse')])
    expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/)
    expect(one).not.toBe(other)
  })

  it('is known again, in whichever form its letters are composed, and no other is', async () => {
    const kept = await hashPassword('caf\u00e9 corner')
    expect(await verifyPassword('cafe\u0301 corner', kept)).toBe(true)
    expect(await verifyPassword('cafe corner', kept)).toBe(false)
  })

  it('is nobody’s where what is kept is of another form', async () => {
    const kept = await hashPassword('correct horse')
    for (const text of [
      '',
      'correct horse',
      kept.replace('argon2id', 'argon2i'),
      kept.replace('t=2', 't=1'),
      '$argon2id$v=19$m=19456,t=2,p=1$$',
    ])
      expect(await verifyPassword('correct horse', text), text).toBe(false)
  })
})
