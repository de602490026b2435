import { describe, expect, it } from 'vitest'
import { brandOf, surfaces } from './brand.ts'
import { contrastOf, readableAccent } from './contrast.ts'

const here = 'https://service.example/room/'

describe('the brand of an organisation', () => {
  it.each(['#ffffff', '#ff0', '#FFEE99', '#7fffd4', '#888888', '#000'])('keeps the contrast of %s enough', (colour) => {
    for (const ground of Object.values(surfaces)) {
      const accent = readableAccent(colour, ground)
      expect(accent).toMatch(/^#[0-9a-f]{6}$/)
      expect(contrastOf(accent ?? '', ground)).toBeGreaterThanOrEqual(4.5)
    }
  })

  it('leaves a colour that can be read as it is', () => {
    expect(readableAccent('#1D4F91', surfaces.light)).toBe('#1d4f91')
    expect(readableAccent('#8AB4F8', surfaces.dark)).toBe('#8ab4f8')
    expect([contrastOf('#ffffff', '#fff'), contrastOf('#000000', '#fff'), contrastOf('none', '#fff')]).toEqual([
      1, 21, 1,
    ])
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
