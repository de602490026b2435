import { readFileSync } from 'node:fs'
import { Webhook } from 'standardwebhooks'
import Stripe from 'stripe'
import { describe, expect, it } from 'vitest'
import {
  createKeyCache,
  newSigningSecret,
  signatureHeader,
  signingKeys,
  standardSignature,
} from './webhooks.signature.model.ts'

interface Vector {
  name: string
  secret: string
  eventId: string
  unixSeconds: number
  body: string
  header: string
  standardSignature: string
}
const path = new URL('../../../../../shared-protocol/vectors/signature.json', import.meta.url)
const { vectors } = JSON.parse(readFileSync(path, 'utf8')) as { vectors: Vector[] }

describe('the signature of a delivery', () => {
  it.each(vectors)('is what the vectors say: $name', (vector) => {
    const keys = signingKeys(vector.secret)
    const body = Buffer.from(vector.body, 'utf8')
    expect(signatureHeader(keys, vector.unixSeconds, body)).toBe(vector.header)
    expect(standardSignature(keys, vector.eventId, vector.unixSeconds, body)).toBe(vector.standardSignature)
  })

  it('is accepted by both public libraries, and refused for another body', () => {
    const secret = newSigningSecret()
    const keys = signingKeys(secret)
    const body = Buffer.from('{"id":"evt_1","object":"event"}')
    const now = Math.floor(Date.now() / 1000)
    const ours = signatureHeader(keys, now, body)
    const stripe = new Stripe('sk_test_unused')
    expect(stripe.webhooks.constructEvent(body, ours, secret, 300).id).toBe('evt_1')
    expect(() => stripe.webhooks.constructEvent(Buffer.concat([body, body]), ours, secret, 300)).toThrow()
    const headers = {
      'webhook-id': 'evt_1',
      'webhook-timestamp': String(now),
      'webhook-signature': standardSignature(keys, 'evt_1', now, body),
    }
    expect(new Webhook(secret).verify(body, headers)).toMatchObject({ id: 'evt_1' })
    expect(() => new Webhook(newSigningSecret()).verify(body, headers)).toThrow()
  })
})

describe('a new signing secret', () => {
  it('is whsec_ and at least 24 random bytes in base64', () => {
    const secret = newSigningSecret()
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]+=*$/)
    expect(Buffer.from(secret.slice(6), 'base64').length).toBeGreaterThanOrEqual(24)
    expect(newSigningSecret()).not.toBe(secret)
  })
})

describe('the key cache', () => {
  it('opens a wrapped secret once, and another wrapping of it anew', () => {
    const cache = createKeyCache()
    let opened = 0
    const open = () => {
      opened += 1
      return newSigningSecret()
    }
    expect(cache('wrapped-1', open)).toBe(cache('wrapped-1', open))
    expect(opened).toBe(1)
    expect(cache('wrapped-2', open)).not.toBe(cache('wrapped-1', open))
    expect(opened).toBe(2)
  })

  it('forgets the oldest when it is full', () => {
    const cache = createKeyCache()
    let opened = 0
    const open = () => {
      opened += 1
      return newSigningSecret()
    }
    for (let n = 0; n <= 1000; n++) cache(`wrapped-${n}`, open)
    cache('wrapped-1000', open)
    expect(opened).toBe(1001)
    cache('wrapped-0', open)
    expect(opened).toBe(1002)
  })
})
