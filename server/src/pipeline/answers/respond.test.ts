import { deprecation, type EndpointSpec, endpoint } from '@integrity/protocol'
import { describe, expect, it } from 'vitest'
import { deprecationHeaders, successText } from './respond.ts'

const spec = endpoint('sessions.get') as EndpointSpec

describe('an answer', () => {
  it('of an endpoint that is going away says so, and until when it works', () => {
    const deprecated = { ...spec, deprecated: deprecation('2026-12-03', 180) }
    expect(deprecationHeaders(deprecated)).toEqual({ Deprecation: 'true', Sunset: 'Tue, 01 Jun 2027 00:00:00 GMT' })
  })

  it('of any other endpoint does not', () => {
    expect(deprecationHeaders(spec)).toBeUndefined()
  })

  it('of success is the envelope', () => {
    expect(JSON.parse(successText({ a: [1, null] }))).toEqual({ success: true, data: { a: [1, null] } })
  })
})
