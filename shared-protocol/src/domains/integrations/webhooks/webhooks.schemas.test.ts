import { describe, expect, it } from 'vitest'
import type * as z from 'zod'
import { scopes } from '../../../core/auth.ts'
import { apiKeyCreate } from '../../organisation/api-keys/api-keys.schemas.ts'
import { maxAttempts, retryWaitsSeconds } from '../deliveries/deliveries.schemas.ts'
import { eventTypes } from '../events/events.catalog.ts'
import { disableAfter, subscription, webhookCreate, webhookPatch } from './webhooks.schemas.ts'

const takes = (schema: z.ZodType, value: unknown) => schema.safeParse(value).success

describe('a subscription', () => {
  it('is to types of the catalogue, or to all', () => {
    expect(takes(subscription, ['*'])).toBe(true)
    expect(takes(subscription, [...eventTypes, '*'])).toBe(true)
    for (const type of eventTypes) expect(takes(subscription, [type]), type).toBe(true)
    for (const wrong of [[], ['session.*'], ['session.dreamt'], 'session.ended', [null]])
      expect(takes(subscription, wrong), JSON.stringify(wrong)).toBe(false)
  })
})

describe('a webhook', () => {
  const url = 'https://hooks.example/in'

  it('needs an address and what it subscribes to', () => {
    expect(takes(webhookCreate, { url, eventTypes: ['*'] })).toBe(true)
    expect(takes(webhookCreate, { url })).toBe(false)
    expect(takes(webhookCreate, { eventTypes: ['*'] })).toBe(false)
    expect(takes(webhookCreate, { url: `https://x.example/${'x'.repeat(2000)}`, eventTypes: ['*'] })).toBe(false)
  })

  it('is changed field by field', () => {
    expect(webhookPatch.parse({})).toEqual({})
    expect(takes(webhookPatch, { status: 'disabled' })).toBe(true)
    expect(takes(webhookPatch, { status: 'asleep' })).toBe(false)
  })
})

describe('the waits between attempts', () => {
  it('grow, and there is one attempt more than waits', () => {
    expect([...retryWaitsSeconds]).toEqual(retryWaitsSeconds.toSorted((a, b) => a - b))
    expect(new Set(retryWaitsSeconds).size).toBe(retryWaitsSeconds.length)
    expect(maxAttempts).toBe(6)
  })

  it('are given up for an endpoint after ten dead letters in a row', () => {
    expect(disableAfter).toBe(10)
  })
})

describe('a new API key', () => {
  const key = { label: 'CI', environment: 'sandbox', scopes: ['sessions:read'] }

  it('is for one environment, with at least one scope that exists', () => {
    expect(takes(apiKeyCreate, key)).toBe(true)
    expect(takes(apiKeyCreate, { ...key, scopes: [...scopes] })).toBe(true)
    for (const wrong of [[], ['sessions:*'], ['sessions:READ'], 'sessions:read'])
      expect(takes(apiKeyCreate, { ...key, scopes: wrong }), JSON.stringify(wrong)).toBe(false)
    expect(takes(apiKeyCreate, { ...key, environment: 'staging' })).toBe(false)
    expect(takes(apiKeyCreate, { ...key, label: ' ' })).toBe(false)
  })
})
