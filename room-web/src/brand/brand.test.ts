import { describe, expect, it } from 'vitest'
import { brandOf } from './brand.ts'
import { contrastWithWhite, readableAccent } from './contrast.ts'

const here = 'https://service.example/room/'

describe('the brand of an organisation', () => {
  it.each(['#ffffff', '#ff0', '#FFEE99', '#7fffd4', '#888888', '#000'])('keeps the contrast of %s enough', (colour) => {
    const accent = readableAccent(colour)
    expect(accent).toMatch(/^#[0-9a-f]{6}$/)
    expect(contrastWithWhite(accent ?? '')).toBeGreaterThanOrEqual(4.5)
  })

  it('leaves a colour that can be read as it is', () => {
    expect(readableAccent('#1D4F91')).toBe('#1d4f91')
    expect(contrastWithWhite('#ffffff')).toBe(1)
    expect(contrastWithWhite('#000000')).toBe(21)
  })

  it.each(['red', '', '#12', '#1234567', 'url(https://elsewhere.example)', 'var(--x)', '#12345g'])(
    'uses no colour that is none: %s',
    (primaryColor) => {
      expect(brandOf({ name: 'Org', brand: { primaryColor } }, here).accent).toBeUndefined()
    },
  )

  it('shows a logo of this service only', () => {
    const logo = (logoUrl: unknown) => brandOf({ name: 'Org', brand: { logoUrl } }, here).logo
    expect(logo('/v1/orgs/org_1/branding/logo')).toBe('https://service.example/v1/orgs/org_1/branding/logo')
    for (const other of [
      'https://elsewhere.example/x.png',
      '//elsewhere.example/x',
      'javascript:alert(1)',
      'data:,',
      7,
      null,
    ])
      expect(logo(other), String(other)).toBeUndefined()
  })
})
