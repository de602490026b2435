import { describe, expect, it } from 'vitest'
import { forgetPageLink, type LinkPlace, parsePageLink, takePageLink } from './page-link.ts'

const token = `rmt_${'x'.repeat(32)}`
const hash = `#ses_01abc.${token}`
const link = { page: 'room', subject: 'ses_01abc', token }

const place = (withHash: string, items = new Map<string, string>()) => {
  const shown: string[] = []
  const window: LinkPlace = {
    location: { hash: withHash, pathname: '/prefix/room/', search: '?a=1' },
    history: { replaceState: (_data, _unused, url) => shown.push(String(url)) },
    sessionStorage: {
      getItem: (key) => items.get(key) ?? null,
      setItem: (key, value) => items.set(key, value),
      removeItem: (key) => items.delete(key),
    },
  }
  return { window, shown, items }
}

describe('a link', () => {
  it('is taken out of the address bar and kept for the tab', () => {
    const { window, shown, items } = place(hash)
    expect(takePageLink(window)).toEqual(link)
    expect(shown).toEqual(['/prefix/room/?a=1'])
    expect(takePageLink(place('', items).window)).toEqual(link)
    expect(takePageLink(place('#', items).window)).toEqual(link)
    forgetPageLink(window)
    expect(takePageLink(place('', items).window)).toBe('none')
  })

  it('that is another one replaces the first', () => {
    const { items, window } = place(hash)
    takePageLink(window)
    expect(takePageLink(place(`#ses_02.${token}`, items).window)).toMatchObject({ subject: 'ses_02' })
    expect(takePageLink(place('', items).window)).toMatchObject({ subject: 'ses_02' })
  })

  it.each([
    '#',
    '#ses_1',
    `#${token}`,
    `#ses_1.${token.slice(0, 12)}`,
    `#ses_1.sst_${'x'.repeat(32)}`,
    `#ses_1.${token}&x=<script>`,
    `#ses_1/../x.${token}`,
    `#ses_1.${'rmt_'.repeat(200)}`,
    `#ses_1.hasOwnProperty_${'x'.repeat(32)}`,
    `#${'%00'.repeat(50)}`,
  ])('that is not one of ours is none: %s', (text) => {
    expect(parsePageLink(text)).toBeUndefined()
  })

  it('that is broken leaves the address bar too, and does not replace what the tab has', () => {
    const { items, window } = place(hash)
    takePageLink(window)
    const broken = place('#ses_1.rmt_short', items)
    expect(takePageLink(broken.window)).toBe('broken')
    expect(broken.shown).toHaveLength(1)
    expect(takePageLink(place('', items).window)).toEqual(link)
  })
})
