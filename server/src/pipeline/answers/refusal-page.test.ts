import { describe, expect, it } from 'vitest'
import { deskPages } from '../pages/desk-page.ts'
import { roomPages } from '../pages/room-pages.ts'
import { pageFormFor, refusalPage } from './refusal-page.ts'

const refusalOf = (work: () => unknown): Parameters<typeof refusalPage>[0] => {
  try {
    work()
  } catch (error) {
    return error as Parameters<typeof refusalPage>[0]
  }
  throw new Error('it was not refused')
}

describe('a page that was not built', () => {
  it.each([
    ['the desk', deskPages],
    ['the room', roomPages],
  ] as const)('of %s is a page that says what the operator does, and leads to none that is not built', (_, pages) => {
    const refused = refusalOf(() => pages('/nowhere'))
    const { text } = refusalPage(refused, 'req_1', 'en-GB,en;q=0.8')
    expect(text).toContain('<h1>The pages of this service are not built on this server</h1>')
    expect(text).toContain('npm start')
    expect(text).toContain('service_unavailable · pages_not_built · req_1')
    expect(text).not.toContain('href=')
    expect(refusalPage(refused, 'req_1', 'hi').text).toContain('<html lang="hi">')
  })
})

describe('what is no endpoint is refused', () => {
  it('on a page to a browser, and in JSON to whoever does not ask for one', () => {
    expect(pageFormFor({ headers: { accept: 'text/html,*/*;q=0.8' } })).toEqual({ page: refusalPage })
    for (const headers of [{}, { accept: '*/*' }, { accept: 'application/json' }])
      expect(pageFormFor({ headers })).toEqual({})
  })
})
