import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { ConfigError, defaultLimits, readConfig, settingNames } from './config.ts'

const problemsOf = (env: Record<string, string>): string => {
  try {
    readConfig(env)
  } catch (error) {
    if (error instanceof ConfigError) return error.message
    throw error
  }
  return ''
}

describe('the settings', () => {
  it('keep the metrics on this machine wherever the service listens, unless told', () => {
    expect(readConfig({ HOST: '0.0.0.0' }).metricsHost).toBe('127.0.0.1')
    expect(readConfig({ METRICS_HOST: '10.0.0.5' }).metricsHost).toBe('10.0.0.5')
  })

  it('have a default each, and an empty value counts as absent', () => {
    const config = readConfig({ PORT: '', DATA_DIR: '', HOME: '/root', UNKNOWN: 'x' })
    expect(config).toEqual(readConfig({}))
    expect(config).toMatchObject({
      host: '127.0.0.1',
      port: 8787,
      metricsPort: 8788,
      baseUrl: 'http://127.0.0.1:8787',
      dataDir: path.resolve('./data'),
      databaseUrl: undefined,
      webhookAllowPrivate: false,
      eventDays: 90,
      uploadDays: 30,
      role: 'all',
      logLevel: 'info',
      production: false,
      limits: defaultLimits,
    })
  })

  it('name what stands in for Greenhouse where it is called back', () => {
    expect(readConfig({}).ats).toEqual({})
    const url = 'http://127.0.0.1:4000'
    expect(readConfig({ GREENHOUSE_ASSESSMENT: url }).ats).toEqual({ greenhouse_assessment: url })
  })

  it('derive the base address and the port of the metrics', () => {
    expect(readConfig({ HOST: '::1', PORT: '9000' })).toMatchObject({ baseUrl: 'http://[::1]:9000', metricsPort: 9001 })
    expect(readConfig({ BASE_URL: 'https://example.org/' }).baseUrl).toBe('https://example.org')
    expect(readConfig({ PORT: '0' }).metricsPort).toBe(0)
    expect(readConfig({ PORT: '65535' }).metricsPort).toBe(65_534)
    expect(readConfig({ PORT: '65535', METRICS_PORT: '1' }).metricsPort).toBe(1)
  })

  it('take a master key of 32 bytes in hex or base64, and no other', () => {
    for (const key of ['ab'.repeat(32), Buffer.alloc(32, 7).toString('base64')])
      expect(readConfig({ MASTER_KEY: key }).masterKey).toBe(key)
    for (const key of ['ab'.repeat(31), 'secret', Buffer.alloc(33).toString('base64')])
      expect(problemsOf({ MASTER_KEY: key })).toContain('MASTER_KEY')
  })

  it('take minisign public keys, separated by commas, and no secret key among them', () => {
    const key = `RWQ${'A'.repeat(53)}`
    expect(readConfig({ RELEASE_PUBLIC_KEYS: ` ${key} ,${key}` }).releasePublicKeys).toEqual([key, key])
    expect(readConfig({}).releasePublicKeys).toEqual([])
    for (const wrong of ['key', `${key},`, `${key},${key.slice(1)}`, `RWRTY0Iy${'A'.repeat(204)}`])
      expect(problemsOf({ RELEASE_PUBLIC_KEYS: wrong })).toContain('RELEASE_PUBLIC_KEYS: must be minisign public keys')
  })

  it('take operators of the access desk as accounts have their addresses', () => {
    const env = {
      ACCESS_DESK_OPERATORS: ' Jo@M\u00dcLLER.example , o\u2019not',
      SECURITY_CONTACT: 'jo@m\u00fcller.example',
    }
    expect(problemsOf(env)).toContain('ACCESS_DESK_OPERATORS: must be e-mail addresses, separated by commas')
    for (const wrong of ['jo@localhost', 'jo@example.org,', '"jo x"@example.org'])
      expect(problemsOf({ ACCESS_DESK_OPERATORS: wrong })).toContain('ACCESS_DESK_OPERATORS')
    const given = "Jo@M\u00dcLLER.example, jo@xn--mller-kva.example,O'Neil+desk@EXAMPLE.org"
    const config = readConfig({ ...env, ACCESS_DESK_OPERATORS: given })
    expect(config.deskOperators).toEqual(['jo@xn--mller-kva.example', "o'neil+desk@example.org"])
    expect(config.securityContacts).toEqual(['mailto:jo@xn--mller-kva.example'])
  })

  it('are all named when several are wrong', () => {
    const message = problemsOf({
      PORT: '70000',
      LOG_LEVEL: 'loud',
      WEBHOOK_ALLOW_PRIVATE: 'yes',
      BASE_URL: 'example.org',
    })
    for (const name of ['PORT', 'LOG_LEVEL', 'WEBHOOK_ALLOW_PRIVATE', 'BASE_URL'])
      expect(message).toContain(`\n  ${name}: `)
    expect(message).toContain('(is "70000")')
  })

  it('that hold a secret are named without it', () => {
    const message = problemsOf({
      MASTER_KEY: 'hunter2',
      DATABASE_URL: 'mysql://me:hunter2@db',
      SMTP_URL: 'hunter2',
      REDIS_URL: 'hunter2',
    })
    for (const name of ['MASTER_KEY', 'DATABASE_URL', 'SMTP_URL', 'REDIS_URL']) expect(message).toContain(name)
    expect(message).not.toContain('hunter2')
  })
})

it('each setting is described to operators', () => {
  const page = readFileSync(new URL('../../../docs/operating/settings.md', import.meta.url), 'utf8')
  expect(settingNames.filter((name) => !page.includes(`\`${name}\``))).toEqual([])
})
