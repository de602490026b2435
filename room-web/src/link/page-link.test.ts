import { describe, expect, it } from 'vitest'
import { forgetPageLink, keepPageLink, type LinkPlace, parsePageLink, takePageLink } from './page-link.ts'

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
    expect(takePageLink(window, 'room')).toEqual(link)
    expect(shown).toEqual(['/prefix/room/?a=1'])
    expect(takePageLink(place('', items).window, 'room')).toEqual(link)
    expect(takePageLink(place('#', items).window, 'room')).toEqual(link)
    forgetPageLink(window, 'room')
    expect(takePageLink(place('', items).window, 'room')).toBe('none')
  })

  it('that is another one replaces the first', () => {
    const { items, window } = place(hash)
    takePageLink(window, 'room')
    expect(takePageLink(place(`#ses_02.${token}`, items).window, 'room')).toMatchObject({ subject: 'ses_02' })
    expect(takePageLink(place('', items).window, 'room')).toMatchObject({ subject: 'ses_02' })
  })

  it.each([
    ['rmt_', 'room'],
    ['ivt_', 'invitation'],
    ['crq_', 'requests'],
    ['itk_', 'interviewer'],
  ] as const)(
    'with a token of the kind %s is of the page %s, wherever it is opened, and waits there',
    (prefix, page) => {
      const { window, items } = place(`#ses_1.${prefix}${'x'.repeat(32)}`)
      expect(takePageLink(window, 'room')).toMatchObject({ page, subject: 'ses_1' })
      expect(takePageLink(place('', items).window, page)).toMatchObject({ page, subject: 'ses_1' })
      for (const other of (['room', 'invitation', 'requests', 'interviewer'] as const).filter((name) => name !== page))
        expect(takePageLink(place('', items).window, other), other).toBe('none')
    },
  )

  it('without a token opens the requests, and is cut off for every other page', () => {
    const { window, shown, items } = place('#ses_1')
    expect(takePageLink(window, 'requests')).toEqual({ page: 'requests', subject: 'ses_1' })
    expect(shown).toHaveLength(1)
    expect(takePageLink(place('', items).window, 'requests')).toEqual({ page: 'requests', subject: 'ses_1' })
    for (const page of ['room', 'invitation'] as const)
      expect(takePageLink(place('#ses_1').window, page)).toBe('broken')
    expect(takePageLink(place('#org_1').window, 'requests')).toBe('broken')
    expect(takePageLink(place('#ses_1.').window, 'requests')).toBe('broken')
  })

  it('can be kept for the page that is opened next', () => {
    const { window, items } = place('')
    keepPageLink(window, { page: 'requests', subject: 'ses_1', token: `crq_${'x'.repeat(32)}` })
    expect(takePageLink(place('', items).window, 'requests')).toMatchObject({ token: `crq_${'x'.repeat(32)}` })
    keepPageLink(window, { page: 'requests', subject: 'ses_1' })
    expect(takePageLink(place('', items).window, 'requests')).toEqual({ page: 'requests', subject: 'ses_1' })
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
    takePageLink(window, 'room')
    const broken = place('#ses_1.rmt_short', items)
    expect(takePageLink(broken.window, 'room')).toBe('broken')
    expect(broken.shown).toHaveLength(1)
    expect(takePageLink(place('', items).window, 'room')).toEqual(link)
  })
})
