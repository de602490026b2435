import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { type VerifyOptions, verifyWebhook, WebhookVerificationError } from '../../client/src/index.ts'

interface Vector {
  name: string
  secret: string
  unixSeconds: number
  body: string
  header: string
}
const { vectors } = JSON.parse(readFileSync(new URL('../../vectors/signature.json', import.meta.url), 'utf8')) as {
  vectors: Vector[]
}

const secret = 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8='
const body =
  '{"id":"evt_1","type":"session.ended","createdAt":"x","apiVersion":"v1","catalogVersion":"1","data":{"a":"é"}}'
const at = 1_788_516_000
const mac = (key = secret, t: number | string = at, text = body) =>
  createHmac('sha256', key).update(`${t}.${text}`).digest('hex')
const header = (t: number | string = at, ...macs: string[]) =>
  [`t=${t}`, ...(macs.length > 0 ? macs : [mac(secret, t)]).map((value) => `v1=${value}`)].join(',')
const now = at * 1000

const fault = async (
  raw: unknown = body,
  signature: Parameters<typeof verifyWebhook>[1] = header(),
  key: string | string[] = secret,
  options: VerifyOptions = { now },
): Promise<string> => {
  try {
    await verifyWebhook(raw as string, signature, key, options)
    return 'accepted'
  } catch (error) {
    return error instanceof WebhookVerificationError ? error.reason : String(error)
  }
}

describe('verifying a webhook', () => {
  it.each(vectors)('knows the signature of the vectors: $name', async (vector) => {
    const options = { now: vector.unixSeconds * 1000 }
    const expected = vector.body.includes('"type"') ? 'accepted' : 'invalid_body'
    expect(await fault(vector.body, vector.header, vector.secret, options)).toBe(expected)
    expect(await fault(`${vector.body} `, vector.header, vector.secret, options)).toBe('signature_mismatch')
  })

  it('gives the event, from text or bytes', async () => {
    for (const raw of [body, new TextEncoder().encode(body), Buffer.from(`  ${body}`).subarray(2)]) {
      const event = await verifyWebhook(raw, header(), secret, { now })
      expect(event).toEqual(JSON.parse(body))
    }
  })

  it('finds the header in headers of fetch and of Node, in any case', async () => {
    const headers = new Headers({ 'X-Service-Signature': header() })
    expect(await fault(body, headers)).toBe('accepted')
    expect(await fault(body, { 'x-service-signature': header() })).toBe('accepted')
    expect(await fault(body, { 'X-Service-Signature': [header()] })).toBe('accepted')
    for (const none of [new Headers(), {}, '', { 'x-service-signature': undefined }])
      expect(await fault(body, none)).toBe('missing_signature')
  })

  it('accepts 300 s either way and refuses 301', async () => {
    const aged = (seconds: number) => fault(body, header(), secret, { now: now + seconds * 1000 })
    expect(await aged(300)).toBe('accepted')
    expect(await aged(301)).toBe('timestamp_too_old')
    expect(await aged(-300)).toBe('accepted')
    expect(await aged(-301)).toBe('timestamp_in_future')
    expect(await fault(body, header(), secret, { now: now + 11_000, toleranceSeconds: 10 })).toBe('timestamp_too_old')
  })

  it('refuses a fresh time on an old signature', async () => {
    expect(await fault(body, header(at + 400, mac()), secret, { now: now + 400_000 })).toBe('signature_mismatch')
  })

  it('accepts any of several signatures and any of several secrets, while one is replaced', async () => {
    const wrong = mac('whsec_other')
    expect(await fault(body, header(at, wrong, mac()))).toBe('accepted')
    expect(await fault(body, header(at, wrong))).toBe('signature_mismatch')
    expect(await fault(body, header(), ['whsec_other', secret])).toBe('accepted')
    expect(await fault(body, header(), ['whsec_other'])).toBe('signature_mismatch')
  })

  it('ignores schemes it does not know, and never takes one for its own', async () => {
    expect(await fault(body, `v0=zz,${header()},v2=abc,next`)).toBe('accepted')
    expect(await fault(body, `t=${at},v0=${mac()}`)).toBe('malformed_signature')
  })

  it.each([
    `v1=${mac()}`,
    `t=${at}`,
    `t=${at},t=${at},v1=${mac()}`,
    `t=-5,v1=${mac()}`,
    `t=1e9,v1=${mac()}`,
    `t=${at},v1=${mac().slice(2)}`,
    `t=${at},v1=${mac()}00`,
    `t=${at},v1=${'g'.repeat(64)}`,
    'nonsense',
    ',=,=',
  ])('refuses %s as malformed', async (signature) => {
    expect(await fault(body, signature)).toBe('malformed_signature')
  })

  it('looks at ten signatures at most', async () => {
    const wrong = Array.from({ length: 10 }, () => mac('whsec_other'))
    expect(await fault(body, header(at, ...wrong.slice(1), mac()))).toBe('accepted')
    expect(await fault(body, header(at, ...wrong, mac()))).toBe('signature_mismatch')
  })

  it('says in words that a parsed body cannot be verified', async () => {
    expect(await fault(JSON.parse(body))).toBe('body_not_raw')
    await expect(verifyWebhook(JSON.parse(body) as string, header(), secret)).rejects.toThrow(/raw body/)
  })

  it('refuses a signed body that is no event', async () => {
    for (const text of ['', '[]', 'null', '{"id":1}', '{"id":"a","type":"b"}', '{'])
      expect(await fault(text, header(at, mac(secret, at, text)))).toBe('invalid_body')
  })

  it('gives an event of a type that is new to it', async () => {
    const text = body.replace('session.ended', 'session.transcribed')
    const event = await verifyWebhook(text, header(at, mac(secret, at, text)), secret, { now })
    expect(event.type).toBe('session.transcribed')
  })

  it('wants a secret', async () => {
    expect(await fault(body, header(), '')).toMatch(/TypeError/)
    expect(await fault(body, header(), [])).toMatch(/TypeError/)
  })
})
