import { describe, expect, it } from 'vitest'
import { forcedColours, pageColours, phoneColours } from './clients/tokens.ts'
import { tokenSheets } from './token-css.ts'

const sheets = tokenSheets()
const pages = sheets['shared-ui/src/web/tokens.css'] ?? ''
const phone = sheets['companion/public/tokens.css'] ?? ''

describe('the style sheet of the tokens', () => {
  it('has every colour of the pages twice, light and dark, and an organisation may put its own in place of each', () => {
    const [light = '', dark = ''] = pages.split('prefers-color-scheme: dark')
    for (const [name, [bright, dim]] of Object.entries(pageColours)) {
      const property = name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
      const own = (scheme: string, colour: string) => `--${property}: var(--brand-${scheme}-${property}, ${colour});`
      expect(light).toContain(own('light', bright))
      expect(dark).toContain(own('dark', dim))
    }
  })

  it('moves nothing unless movements are wanted, and leaves the colours to a system that replaces them', () => {
    expect(pages).toMatch(/--breathing: none;/)
    expect(pages).toMatch(/prefers-reduced-motion: no-preference\) \{\n {2}:root \{\n {4}--breathing: breathe/)
    const [, forced = ''] = pages.split('forced-colors: active')
    for (const [name, colour] of Object.entries(forcedColours)) expect(forced).toContain(`--${name}: ${colour};`)
  })

  it('of the phone has its ground and its accent for both schemes', () => {
    for (const colour of [...phoneColours.ground, ...phoneColours.accent]) expect(phone).toContain(colour)
  })
})
