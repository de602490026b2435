import { describe, expect, it } from 'vitest'
import { brandOf } from './brand.ts'
import { contrastOf, readableAccent } from './contrast.ts'
import { pagePaint } from './palette.ts'

const { grounds } = pagePaint
const place = { service: 'https://service.example/room/', paint: pagePaint }
const branded = (brand: Record<string, unknown>) => brandOf({ name: 'Org', brand }, place)

describe('the brand of an organisation', () => {
  it('is only its name where nothing else is known', () => {
    expect(branded({})).toEqual({ name: 'Org', colours: undefined, logo: undefined, contact: undefined })
  })

  it.each(['#ffffff', '#ff0', '#FFEE99', '#7fffd4', '#888888', '#000'])('keeps the contrast of %s enough', (colour) => {
    for (const ground of Object.values(grounds)) {
      const accent = readableAccent(colour, ground)
      expect(accent).toMatch(/^#[0-9a-f]{6}$/)
      expect(contrastOf(accent ?? '', ground)).toBeGreaterThanOrEqual(4.5)
    }
  })

  it('leaves a colour that can be read as it is', () => {
    expect(branded({ primaryColor: '#1D4F91' }).colours?.light['accent']).toBe('#1d4f91')
    expect(branded({ primaryColor: '#8AB4F8' }).colours?.dark['accent']).toBe('#8ab4f8')
    expect([contrastOf('#ffffff', '#fff'), contrastOf('#000000', '#fff'), contrastOf('none', '#fff')]).toEqual([
      1, 21, 1,
    ])
  })

  it.each(['red', '', '#12', '#1234567', 'url(https://elsewhere.example)', 'var(--x)', '#12345g', 7, null])(
    'uses no colour that is none: %s',
    (primaryColor) => {
      expect(branded({ primaryColor }).colours).toBeUndefined()
    },
  )

  const palette = { accent: '#9c1458', accentText: '#fffafd', background: '#fdf3e7', text: '#33221b' }

  it('shows a palette as it is, a dark one also to those who want light pages, and the other way round its accent alone', () => {
    const light = branded({ palette, primaryColor: '#00ff00' }).colours
    expect(light).toMatchObject({ alwaysDark: false, light: { ground: '#fdf3e7', onAccent: '#fffafd' } })
    expect(Object.keys(light?.dark ?? {})).toEqual(['accent'])
    const night = { accent: '#F2C14E', accentText: '#1d1a12', background: '#14213d', text: '#e8ecf5' }
    const dark = branded({ palette: night }).colours
    expect(dark).toMatchObject({ alwaysDark: true, light: { accent: '#f2c14e', surface: '#14213d' } })
    expect(dark?.dark).toBe(dark?.light)
  })

  it.each([
    { ...palette, text: '#eeeeee' },
    { ...palette, accentText: palette.accent },
    { ...palette, background: 'url(https://elsewhere.example)' },
    { accent: palette.accent },
    'none',
  ])('shows no palette that cannot be read, but the accent beside it: %j', (wrong) => {
    expect(branded({ palette: wrong }).colours).toBeUndefined()
    const { colours } = branded({ palette: wrong, primaryColor: '#1d4f91' })
    expect(Object.keys(colours?.light ?? {})).toEqual(['accent'])
  })

  it('says a sentence of the organisation, if it is one', () => {
    expect(branded({ welcome: ' Hello! ' }).welcome).toBe('Hello!')
    for (const none of ['', ' ', 7, 'x'.repeat(501)]) expect(branded({ welcome: none }).welcome).toBeUndefined()
  })

  it('shows a logo of this service, or a picture that is in the data, and nothing that asks somebody else', () => {
    const logo = (logoUrl: unknown) => branded({ logoUrl }).logo
    expect(logo('/v1/orgs/org_1/branding/logo')).toBe('https://service.example/v1/orgs/org_1/branding/logo')
    expect(logo('data:image/png;base64,iVBORw0KGgo=')).toBe('data:image/png;base64,iVBORw0KGgo=')
    for (const other of [
      'https://elsewhere.example/x.png',
      '//elsewhere.example/x',
      'http://service.example/x.png',
      'javascript:alert(1)',
      'data:,',
      'data:image/svg+xml;base64,PHN2Zy8+',
      'data:image/png,<svg>',
      `data:image/png;base64,${'A'.repeat(1_000_000)}`,
      'http://[',
      7,
      null,
    ])
      expect(logo(other), String(other).slice(0, 60)).toBeUndefined()
  })

  it('names whom to ask about data by an e-mail address or an https address only', () => {
    const href = (privacyContact: unknown) => branded({ privacyContact }).contact?.href
    expect(branded({ privacyContact: ' privacy@org.example ' }).contact).toEqual({
      text: 'privacy@org.example',
      href: 'mailto:privacy@org.example',
    })
    expect(href('https://org.example/privacy')).toBe('https://org.example/privacy')
    for (const other of ['http://org.example', 'javascript:alert(1)', 'a@b.example?bcc=c@d.example', 'ask us', '', 7])
      expect(href(other), String(other)).toBeUndefined()
  })
})
