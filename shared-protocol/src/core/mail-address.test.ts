import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { emailAddress, mailAddress, mailAddressOf } from './mail-address.ts'

const takes = (text: string): boolean => mailAddress.safeParse(text).success

describe('an address of an account', () => {
  it('is compared trimmed and in lower case, and said so again stays as it is', () => {
    expect(mailAddress.parse('  Ada@Example.ORG ')).toBe('ada@example.org')
    fc.assert(
      fc.property(fc.oneof(fc.emailAddress(), fc.string()), (address) => {
        const once = mailAddressOf(address)
        return once === undefined || mailAddressOf(once) === once
      }),
    )
  })

  it('has its domain in the ASCII form, whoever wrote it', () => {
    expect(mailAddressOf('Jo@M\u00dcLLER.example')).toBe('jo@xn--mller-kva.example')
    expect(mailAddressOf('jo@xn--mller-kva.example')).toBe('jo@xn--mller-kva.example')
    expect(mailAddressOf('jo@\u043f\u0440\u0438\u043c\u0435\u0440.\u0440\u0444')).toBe('jo@xn--e1afmkfd.xn--p1ai')
    expect(mailAddressOf('jo@example\u3002jp')).toBe('jo@example.jp')
  })

  it('has any local part that is a dot-atom', () => {
    for (const local of ['a&b', 'a/b=c', "o'brien", 'x#EXT#', 'first.last+tag', "!#$%&'*+/=?^_`{|}~-"])
      expect(mailAddressOf(`${local}@example.org`), local).toBe(`${local.toLowerCase()}@example.org`)
  })

  it('is no list, no name, no number of a host and no more than 254 characters', () => {
    for (const text of [
      ...['', 'ada', 'ada@', '@example.org', 'ada@example', 'ada@example.org, b@example.org', 'a b@example.org'],
      ...['.a@example.org', 'a.@example.org', 'a..b@example.org', '"a b"@example.org', 'm\u00fcller@example.org'],
      ...[
        'a@127.0.0.1',
        'a@\uff11.2.3.4',
        'a@-x.org',
        'a@x_y.org',
        'a@m\u00fcller.example/x',
        'a@m\u00fcller.example:25',
      ],
      ...[`${'a'.repeat(250)}@example.org`, 'Ada <ada@example.org>', 'a@b@example.org', 'ada@example.org\n.x'],
    ])
      expect(takes(text), JSON.stringify(text)).toBe(false)
  })
})

describe('an address that is written to', () => {
  it('follows the same rule, and keeps its case', () => {
    expect(emailAddress.parse(' Jo.O&Q@M\u00fcller.example ')).toBe('Jo.O&Q@xn--mller-kva.example')
    expect(emailAddress.safeParse('jo@example').error?.issues).toEqual(
      mailAddress.safeParse('jo@example').error?.issues,
    )
  })
})
