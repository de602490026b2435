import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createLog, type Log } from './log.ts'
import { prefixesOfSecrets } from './scrub.ts'

const build = (options: { level?: 'trace' | 'info'; hiddenKeys?: string[] } = {}) => {
  const lines: string[] = []
  const log = createLog({ level: 'trace', ...options, destination: { write: (line) => lines.push(line) } })
  return {
    log,
    output: () => lines.join(''),
    last: () => JSON.parse(lines.at(-1) ?? '') as Record<string, unknown>,
  }
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
const body = fc.string({ unit: fc.constantFrom(...Array.from(alphabet)), minLength: 27, maxLength: 64 })
const secret = fc
  .tuple(fc.constantFrom(...prefixesOfSecrets), body)
  .map(([prefix, rest]) => ({ value: prefix + rest, rest }))
const around = fc.string({ unit: fc.constantFrom(...Array.from('ab1 \n\t"\\/:=?&%{}<>ü\u0000')), maxLength: 12 })

/** Every way in which a line can come to hold a text. */
const ways: readonly ((log: Log, text: string) => void)[] = [
  (log, text) => log.info(text),
  (log, text) => log.info({ note: text }, 'message'),
  (log, text) => log.info({}, text),
  (log, text) => log.warn({ a: { b: [{ c: text }] } }),
  (log, text) => log.error(new Error(text)),
  (log, text) => log.error({ err: new Error('outer', { cause: new Error(text) }) }, 'failed'),
  (log, text) => log.error(Object.assign(new Error('x'), { request: { headers: { authorization: text } } })),
  (log, text) => log.child({ requestId: text }).info('message'),
  (log, text) =>
    log
      .child({ a: 1 })
      .child({ b: { c: text } })
      .info({ d: 2 }),
  (log, text) => log.info({ [text]: 1 }, 'as a key'),
  (log, text) => log.info({ map: new Map([['x', text]]), set: new Set([text]) }),
  (log, text) => (log.info as (...args: unknown[]) => void)('%s and %j', text, { x: text }),
  (log, text) => log.info({ json: JSON.stringify({ x: text }) }),
  (log, text) => log.info({ url: `https://example.com/a?x=1&y=${encodeURIComponent(text)}` }),
]

describe('the log', () => {
  it('never lets a secret with one of our prefixes through, wherever it stands', () => {
    fc.assert(
      fc.property(secret, around, around, fc.constantFrom(...ways), (hidden, before, after, write) => {
        const { log, output } = build()
        write(log, `${before}${hidden.value}${after}`)
        expect(output()).not.toBe('')
        expect(output()).not.toContain(hidden.rest)
      }),
      { numRuns: 1500 },
    )
  })

  const secretKeys = [
    'authorization',
    'Authorization',
    'cookie',
    'set-cookie',
    'Set-Cookie',
    'token',
    'accessToken',
    'refresh_token',
    'secret',
    'clientSecret',
    'password',
    'newPassword',
    'joinCode',
    'join_code',
    'apiKey',
    'api_key',
    'x-api-key',
    'private_key',
    'MASTER_KEY',
    'credentials',
    'tokens',
    'body',
  ]

  it('hides the value of a secret key at any depth, whatever it looks like', () => {
    const value = fc.oneof(body, fc.array(body, { minLength: 1 }), fc.record({ inner: body }))
    fc.assert(
      fc.property(fc.constantFrom(...secretKeys), value, fc.integer({ min: 0, max: 6 }), (key, hidden, depth) => {
        let fields: object = { [key]: hidden }
        for (let n = 0; n < depth; n++) fields = n % 2 === 0 ? { level: fields } : { list: [fields] }
        const { log, output } = build()
        log.info(fields, 'message')
        log.child({ fields }).info('message')
        const texts = typeof hidden === 'string' ? [hidden] : Array.isArray(hidden) ? hidden : [hidden.inner]
        for (const text of texts) expect(output()).not.toContain(text)
      }),
    )
  })

  it.each([
    'https://example.com/stream?token=s3cr3tvalue1&limit=5',
    'GET /v1/stream?a=b&ticket=s3cr3tvalue1 HTTP/1.1',
    '/callback?code=s3cr3tvalue1&state=x',
    'authorization: Bearer s3cr3tvalue1',
    'sent "Basic s3cr3tvalue1" and failed',
    'connect postgres://app:s3cr3tvalue1@db.internal:5432/x failed',
    '{"email":"a@b.c","password":"s3cr3tvalue1"}',
    String.raw`{\"password\":\"s3cr3tvalue1\"}`,
    'password=s3cr3tvalue1',
    'Cookie: a=1; refresh=s3cr3tvalue1; b=2',
    'Set-Cookie: access=s3cr3tvalue1; HttpOnly',
  ])('takes the credential out of the text %j', (text) => {
    const { log, output } = build()
    log.info(text)
    log.info({ text: 1, note: text })
    expect(output()).not.toContain('s3cr3tvalue1')
  })

  it('takes a join code out of a path', () => {
    const { log, output } = build()
    log.info({ path: '/v1/pairings/K7QF-2M9X/claim' })
    expect(output()).not.toContain('K7QF')
  })

  it('leaves ordinary text, ids, times and addresses as they are', () => {
    const { log, last } = build()
    const fields = {
      requestId: 'req_01K4F0M2Z8Q9R3T5V7X1',
      sessionId: 'ses_01K4F0M2Z8Q9R3T5V7X1',
      uuid: '0198F3A2-7B1C-4D5E-8F90-ABCDEF012345',
      at: '2026-09-04T10:00:00.000Z',
      path: '/v1/api/sessions?limit=20&offset=0',
      word: 'task_queue own_it',
      flag: true,
      count: 3,
      hasToken: false,
    }
    log.info(fields, 'the request ended')
    expect(last()).toMatchObject({ ...fields, level: 'info', msg: 'the request ended' })
  })

  it('carries the bindings of a child on its lines only', () => {
    const { log, last } = build()
    log.child({ requestId: 'req_1' }).info('inside')
    expect(last()).toMatchObject({ requestId: 'req_1', msg: 'inside' })
    log.info('outside')
    expect(last()).not.toHaveProperty('requestId')
  })

  it('keeps type, message, code and cause of an error and nothing that hangs on it', () => {
    const { log, last } = build()
    const cause = new TypeError('deep down')
    log.error(Object.assign(new RangeError('too far', { cause }), { code: 'E_FAR', request: { any: 'thing' } }))
    expect(last()).toMatchObject({
      msg: 'too far',
      err: {
        type: 'RangeError',
        message: 'too far',
        code: 'E_FAR',
        cause: { type: 'TypeError', message: 'deep down' },
      },
    })
    expect(last().err).not.toHaveProperty('request')
  })

  it('writes cycles, bytes, big integers and invalid dates without failing', () => {
    const { log, last } = build()
    const cycle: Record<string, unknown> = { bytes: Buffer.from('hello'), big: 12n, bad: new Date(Number.NaN) }
    cycle.self = cycle
    log.info(cycle, 'odd')
    expect(last()).toMatchObject({ bytes: '[5 bytes]', big: '12', bad: null, msg: 'odd' })
  })

  it('hides the keys its owner names', () => {
    const { log, output } = build({ hiddenKeys: ['candidateLabel'] })
    log.info({ session: { candidateLabel: 'Ada Lovelace', candidate_label: 'Ada Lovelace' } })
    expect(output()).not.toContain('Ada')
  })

  it('writes nothing below its level', () => {
    const { log, output } = build({ level: 'info' })
    log.debug('quiet')
    expect(output()).toBe('')
  })
})
