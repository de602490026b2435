import { describe, expect, it } from 'vitest'
import { addressOf, parseRoute, type Route, servicePath } from './route.ts'

const ses = 'ses_01jd0000000000000000000000'
const crr = 'crr_01jd0000000000000000000000'

describe('an address of the desk', () => {
  it.each<[string, Route]>([
    ['/desk/', { room: 'today', org: undefined }],
    ['/desk/harbour/', { room: 'today', org: 'harbour' }],
    [`/desk/interviews/${ses}`, { room: 'interview', org: undefined, id: ses }],
    [`/desk/review/${ses}`, { room: 'review', org: undefined, id: ses }],
    [`/desk/harbour/review/${ses}`, { room: 'review', org: 'harbour', id: ses }],
    [`/desk/requests/${crr}`, { room: 'request', org: undefined, id: crr }],
    ['/desk/harbour/interviews/new', { room: 'schedule', org: 'harbour' }],
    ['/desk/reviews', { room: 'reviews', org: undefined, cursor: undefined }],
    ['/desk/access-requests', { room: 'access-requests', query: {} }],
    [`/desk/desk/interviews/${ses}`, { room: 'interview', org: 'desk', id: ses }],
  ])('%s says where it leads, and is that of where it leads', (address, route) => {
    expect(parseRoute(address)).toEqual(route)
    expect(addressOf(route)).toBe(address)
  })

  it('carries what a list is narrowed to, and nothing that is not chosen', () => {
    const address = '/desk/harbour/interviews?state=ended&cursor=abc'
    const route = parseRoute('/desk/harbour/interviews', '?state=ended&cursor=abc&name=Asha')
    expect(route).toMatchObject({ room: 'interviews', org: 'harbour', query: { state: 'ended', cursor: 'abc' } })
    expect(addressOf(route)).toBe(address)
    expect(addressOf({ room: 'interviews', org: 'harbour', query: {} })).toBe('/desk/harbour/interviews')
  })

  it('carries a time of a review', () => {
    const route = parseRoute(`/desk/harbour/review/${ses}`, '?t=95')
    expect(route).toEqual({ room: 'review', org: 'harbour', id: ses, t: '95' })
    expect(addressOf(route)).toBe(`/desk/harbour/review/${ses}?t=95`)
  })

  it.each([
    ['/desk/interviews/ses_<script>'],
    [`/desk/requests/${ses}`],
    ['/desk/harbour/nowhere'],
    [`/desk/harbour/review/${ses}/more`],
    ['/desk/Not_a_slug/'],
  ])('%s leads nowhere', (address) => {
    expect(parseRoute(address)).toEqual({ room: 'unknown' })
  })

  it('may lie below a folder that a proxy gives the service', () => {
    const address = `/tools/desk/harbour/review/${ses}`
    expect(servicePath(address)).toBe('/tools/')
    expect(servicePath('/desk/')).toBe('/')
    const route = parseRoute(address)
    expect(route).toEqual({ room: 'review', org: 'harbour', id: ses })
    expect(addressOf(route, '/tools/')).toBe(address)
  })
})
