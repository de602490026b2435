import { describe, expect, it } from 'vitest'
import { readConfig } from './config.ts'
import { clockFinding } from './doctor.clock.check.ts'
import { proxyFinding } from './doctor.proxy.check.ts'
import { checkSettings } from './doctor.settings.check.ts'
import { checkTls } from './doctor.tls.check.ts'

const dayMs = 86_400_000

describe('the settings of the doctor', () => {
  it('are all named that are wrong, and none that holds a secret with its value', () => {
    const { config, findings } = checkSettings({
      env: { PORT: 'x', MASTER_KEY: 'secret', SMTP_URL: 'http://a:secret@b' },
    })
    expect(config).toBeUndefined()
    expect(findings.map(({ state, reason }) => [state, reason.split(':', 1)[0]])).toEqual(
      ['PORT', 'MASTER_KEY', 'SMTP_URL'].map((name) => ['mend', name]),
    )
    expect(JSON.stringify(findings)).not.toContain('secret"')
  })

  it('name what was misspelt and what systemd passes over', () => {
    const { findings } = checkSettings({
      env: { BASEURL: 'https://a.example', WEBHOOK_ALOW_PRIVATE: '1', PATH: '/bin', HOME: '/root', LOGNAME: 'root' },
      file: { path: '/etc/a.env', ignored: ['export A=1'] },
    })
    const wrong = findings.filter(({ state }) => state === 'mend')
    expect(wrong.map(({ todo }) => todo)).toEqual([
      'write BASE_URL, or take it out',
      'write WEBHOOK_ALLOW_PRIVATE, or take it out',
      expect.stringContaining('NAME=value'),
    ])
  })
})

describe('the clock of the doctor', () => {
  it.each([
    [400, 'ok'],
    [-3_000, 'note'],
    [600_000, 'mend'],
  ] as const)('%i ms from the database is %s', (skew, state) => {
    expect(clockFinding(skew).state).toBe(state)
  })
})

describe('TLS of the doctor', () => {
  const config = readConfig({ BASE_URL: 'https://service.example.org' })
  const answer = (distrust: string | undefined, days: number) => ({
    status: 200,
    text: '',
    certificate: { distrust, expiresAt: days * dayMs + 1 },
  })

  it.each([
    ['a certificate that is believed', answer(undefined, 60), 'ok'],
    ['one that ends within two weeks', answer(undefined, 10), 'note'],
    ['one that ends within days', answer(undefined, 2), 'mend'],
    ['one that is not believed', answer('CERT_HAS_EXPIRED', 60), 'mend'],
    ['none that could be looked at', undefined, 'mend'],
  ] as const)('%s', (_, given, state) => {
    expect(checkTls(config, given, 0).state).toBe(state)
  })

  it('is missing where people come from elsewhere, and not needed on one machine', () => {
    expect(checkTls(readConfig({ BASE_URL: 'http://service.example.org' }), undefined, 0).state).toBe('mend')
    expect(checkTls(readConfig({}), undefined, 0).state).toBe('note')
  })
})

describe('trust in proxies, of the doctor', () => {
  const none = { trusted: 4, unknown: 2 }
  const of = (env: Record<string, string>, after = none) => proxyFinding(readConfig(env), none, after).state

  it.each([
    ['everybody is trusted', { TRUSTED_PROXIES: '0.0.0.0/0' }, none, 'mend'],
    ['nobody is, behind TLS that the service does not end', { BASE_URL: 'https://a.example' }, none, 'mend'],
    ['another one than the one that was met', { TRUSTED_PROXIES: '10.0.0.1' }, { trusted: 4, unknown: 3 }, 'mend'],
    ['the one that was met', { TRUSTED_PROXIES: '127.0.0.1' }, { trusted: 5, unknown: 2 }, 'ok'],
    ['nobody, and none was met', {}, none, 'ok'],
    ['one that was not met', { TRUSTED_PROXIES: '10.0.0.1', BASE_URL: 'https://a.example' }, none, 'note'],
  ] as const)('%s', (_, env, after, state) => {
    expect(of(env, after)).toBe(state)
  })
})
