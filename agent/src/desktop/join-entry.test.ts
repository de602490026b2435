import { describe, expect, it } from 'vitest'
import { readEntry, readServer } from './join-entry.ts'

describe('readEntry', () => {
  it('forgives case, dashes, blanks and look-alike letters of a typed code', () => {
    for (const typed of ['k7qf-2m9x', ' K7QF 2M9X ', 'K7QF2M9X', 'k7qf–2m9x'])
      expect(readEntry(typed)).toEqual({ ok: true, joinCode: 'K7QF2M9X', server: undefined })
    expect(readEntry('oO1l-iI2M')).toMatchObject({ ok: true, joinCode: '0011112M' })
  })

  it('refuses what cannot be a code', () => {
    for (const typed of ['', '   ', 'K7QF', 'K7QF2M9XA', 'K7QF-2M9U', 'ключ2345', 'x'.repeat(5000)])
      expect(readEntry(typed), typed).toEqual({ ok: false, problem: { code: 'code_malformed' } })
  })

  it('reads a whole link, with the service it names', () => {
    const link = `integrity-agent://join?code=K7QF-2M9X&server=${encodeURIComponent('https://interviews.example.org/base/')}`
    expect(readEntry(link)).toEqual({
      ok: true,
      joinCode: 'K7QF2M9X',
      server: 'https://interviews.example.org/base',
    })
    expect(readEntry(link.replace('://join', ':join'))).toMatchObject({ ok: true })
  })

  it('refuses links of other schemes and other actions', () => {
    const links = [
      'https://evil.example/?code=K7QF2M9X',
      'javascript:alert(1)',
      'file:///etc/passwd',
      'integrity-agent://quit?code=K7QF2M9X',
      'integrity-agents://join?code=K7QF2M9X&server=https://a.example',
    ]
    for (const link of links) expect(readEntry(link), link).toEqual({ ok: false, problem: { code: 'link_not_ours' } })
  })

  it('refuses a link without a service, with a service that is not https, or with a broken code', () => {
    const code = (rest: string) => readEntry(`integrity-agent://join?${rest}`)
    expect(code('code=K7QF2M9X')).toEqual({ ok: false, problem: { code: 'server_malformed' } })
    expect(code('code=K7QF2M9X&server=http://interviews.example.org')).toEqual({
      ok: false,
      problem: { code: 'server_not_https' },
    })
    expect(code('code=K7&server=https://a.example')).toEqual({ ok: false, problem: { code: 'code_malformed' } })
    expect(code('server=https://a.example')).toEqual({ ok: false, problem: { code: 'code_malformed' } })
  })
})

describe('readServer', () => {
  it('takes https, and http for this computer itself', () => {
    expect(readServer(' interviews.example.org ')).toEqual({ ok: true, server: 'https://interviews.example.org' })
    for (const address of ['http://127.0.0.1:8787', 'http://localhost:8787', 'http://[::1]:8787'])
      expect(readServer(`${address}/`)).toEqual({ ok: true, server: address })
  })

  it('refuses http elsewhere, other schemes, credentials and nonsense', () => {
    expect(readServer('http://127.0.0.1.example.org')).toEqual({ ok: false, problem: { code: 'server_not_https' } })
    for (const address of ['ftp://a.example', 'https://user:secret@a.example', 'https://', '', '://', 'a b'])
      expect(readServer(address), address).toEqual({ ok: false, problem: { code: 'server_malformed' } })
  })
})
