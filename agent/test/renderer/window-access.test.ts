import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { logoOf, type TestBrand, testBrands } from '../../../server/test/test-support/brands.ts'
import {
  type ColourPair,
  colourPairsOf,
  namedPairs,
  unreadable,
} from '../../../server/test/test-support/colour-pairs.ts'
import { until } from '../test-support/until.ts'
import {
  buildConsent,
  buildState,
  consentState,
  doneState,
  finishingState,
  recordingState,
  workingCheck,
} from './states.ts'
import { en } from './texts.ts'
import { variantNames } from './variants.ts'
import {
  accessibilityFaults,
  chromiumPath,
  clippedTexts,
  type OpenWindow,
  sharedWindows,
  showVariant,
  type Windows,
} from './window-under-test.ts'

let windows: Windows

/** One of each kind of page that a session has. */
const brandedVariants = [
  ...([
    'who',
    'consent',
    'check-linux',
    'recording-trouble',
    'recording-asked',
    'recording-withdraw',
    'paused',
  ] as const),
  ...(['finishing', 'done', 'failed', 'refused'] as const),
]

/** One window through every look of it. */
const throughAll = async (
  options: Parameters<Windows['open']>[1],
  locale: string,
  look: (window: OpenWindow, name: string) => Promise<void>,
) => {
  const window = await windows.open(undefined, options)
  try {
    for (const name of variantNames) {
      await showVariant(window, name, locale)
      await look(window, name)
    }
    expect(window.errors).toEqual([])
  } finally {
    await window.close()
  }
}

describe.skipIf(!chromiumPath)('everybody can use the window', () => {
  beforeAll(async () => {
    windows = await sharedWindows()
  })
  afterAll(() => windows?.closeAll())

  it.each([
    ['light', 'en'],
    ['dark', 'en'],
    ['light', 'hi'],
    ['dark', 'hi'],
  ] as const)('axe objects to nothing on any screen, in the %s scheme, in %s', async (colorScheme, locale) => {
    const faults: string[] = []
    await throughAll({ colorScheme }, locale, async ({ page }, name) => {
      for (const fault of await accessibilityFaults(page)) faults.push(`${name}: ${fault}`)
    })
    expect(faults).toEqual([])
  })

  it.each<TestBrand>(testBrands)(
    'everything can be read in a $name palette, with the logo that the core has',
    async (brand) => {
      const window = await windows.open(undefined, { colorScheme: 'light' })
      const logo = (await logoOf(brand)).toString('base64')
      window.core.answer('session.logo', () => ({ picture: `data:image/png;base64,${logo}` }))
      const pairs: ColourPair[] = []
      for (const name of brandedVariants) {
        await showVariant(window, name, 'en', brand)
        await window.page.getByRole('banner').getByText(brand.displayName).waitFor()
        await window.page.waitForFunction('document.querySelector("header img")?.naturalWidth === 192')
        pairs.push(...(await colourPairsOf(window.page)))
        expect(await window.page.getByText(brand.welcome).count(), name).toBe(name === 'who' ? 1 : 0)
      }
      await window.close()
      expect(unreadable(pairs)).toEqual([])
      // What only shows more is written in the accent.
      expect(namedPairs(pairs, brand.palette)).toEqual([
        'accent on background',
        'accentText on accent',
        'text on background',
      ])
    },
  )

  it.each(['en', 'hi'])(
    'nothing is cut off in a window of 320 pixels with text of twice the size, in %s',
    async (locale) => {
      const clipped: string[] = []
      await throughAll({ viewport: { width: 320, height: 400 } }, locale, async ({ page }, name) => {
        await page.evaluate("document.documentElement.style.fontSize = '200%'")
        for (const text of await clippedTexts(page)) clipped.push(`${name}: ${text}`)
      })
      expect(clipped).toEqual([])
    },
  )

  it('the end of every page is reached in a very short window', async () => {
    await throughAll({ viewport: { width: 700, height: 180 } }, 'en', async ({ page }, name) => {
      if ((await page.locator('dialog[open]').count()) > 0) return
      const last = page.locator('.footer p').last()
      await last.scrollIntoViewIfNeeded()
      const box = await last.boundingBox()
      expect((box?.y ?? 999) + (box?.height ?? 0), name).toBeLessThanOrEqual(181)
    })
  })

  const endOf = (box: { x: number; width: number } | null): number => (box ? box.x + box.width : Number.NaN)

  it('right-to-left turns the page round and cuts nothing off', async () => {
    const clipped: string[] = []
    await throughAll({ viewport: { width: 480, height: 700 } }, 'en', async ({ page }, name) => {
      await page.evaluate("document.documentElement.dir = 'rtl'")
      for (const text of await clippedTexts(page)) clipped.push(`${name}: ${text}`)
      const brand = await page.locator('.brand').boundingBox()
      const switches = await page.locator('.languages').boundingBox()
      // Whoever the brand is: with a long name, or another font, the languages are below it and begin where it does.
      expect(endOf(brand), name).toBeGreaterThanOrEqual(endOf(switches) - 1)
    })
    expect(clipped).toEqual([])
  })

  it('moves nothing for those who want that, and breathes for others', async () => {
    for (const [reducedMotion, animation] of [
      ['reduce', 'none'],
      ['no-preference', 'breathe'],
    ] as const) {
      const window = await windows.open(recordingState(), { reducedMotion })
      const light = window.page.locator('.recording > .light')
      expect(await light.evaluate((one) => one.ownerDocument.defaultView.getComputedStyle(one).animationName)).toBe(
        animation,
      )
      await window.close()
    }
  })

  it('the lights are there where the system replaces all colours', async () => {
    const window = await windows.open(recordingState(), { forcedColors: 'active' })
    const light = window.page.locator('.lane .light').first()
    const [colour, ground] = await light.evaluate((one) => {
      const view = one.ownerDocument.defaultView
      return [view.getComputedStyle(one).color, view.getComputedStyle(one.closest('.lane')).backgroundColor]
    })
    expect(colour).not.toBe(ground)
    await window.close()
  })

  it('the keyboard alone goes from the code to the end', async () => {
    const window = await windows.open(buildState({ server: 'https://x.example' }))
    const { page, core } = window
    const title = (name: string) => page.getByRole('heading', { level: 1, name, exact: true }).waitFor()
    /** Tab until the focus is on a control with this name. */
    const tabTo = async (name: string) => {
      for (let n = 0; n < 80; n++) {
        await page.keyboard.press('Tab')
        const focused = await page.evaluate(
          `(() => { const e = document.activeElement; return e.getAttribute('aria-label') ?? (e.labels?.[0] ?? e).textContent.trim() })()`,
        )
        if (focused === name) return
      }
      throw new Error(`Tab never came to ${name}`)
    }
    const pressed = async (name: string) => {
      await until(name, () => core.sent.some((one) => one.name === name))
    }
    await title(en.codeTitle)
    await tabTo(en.codeLabel)
    await page.keyboard.type('k7qf 2m9x')
    await page.keyboard.press('Enter')
    await pressed('session.join')
    await core.show(consentState())
    await title(en.whoTitle)
    await tabTo(en.whoNext)
    await page.keyboard.press('Enter')
    await title(en.consentTitle)
    // Yes, no and yes: Tab comes to a group's first answer, an arrow goes to its second.
    await tabTo(en.yes)
    await page.keyboard.press('Space')
    await tabTo(en.yes)
    await page.keyboard.press('ArrowDown')
    await tabTo(en.yes)
    await page.keyboard.press('Space')
    await tabTo(en.answerAgree)
    await page.keyboard.press('Enter')
    await tabTo(en.confirmSend)
    await page.keyboard.press('Enter')
    await pressed('consent.agree')
    expect(core.inputsOf('consent.agree')).toEqual([
      {
        hash: buildConsent().document.hash,
        answers: { screen: true, microphone: true, system_audio: false, camera: true, signals: true },
      },
    ])
    await core.show(workingCheck)
    await title(en.checkTitle)
    await tabTo(en.checkBegin)
    await page.keyboard.press('Enter')
    await pressed('check.done')
    await core.show(recordingState())
    await title(en.recordingTitle)
    await tabTo('Withdraw: Your camera')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Escape')
    expect(await page.evaluate("document.activeElement.getAttribute('aria-label')")).toBe('Withdraw: Your camera')
    await tabTo(en.end)
    await page.keyboard.press('Enter')
    await tabTo(en.endConfirm)
    await page.keyboard.press('Enter')
    await pressed('recording.end')
    await core.show(finishingState)
    await title(en.finishingTitle)
    await tabTo(en.finishingBackground)
    await core.show(doneState)
    await title(en.doneTitle)
    await tabTo(en.requestsOpen)
    await page.keyboard.press('Enter')
    await pressed('requests.open')
    await page.getByText(en['requestsOpened.link']).waitFor()
    await tabTo(en.quit)
    await page.keyboard.press('Enter')
    await pressed('app.quit')
    expect(window.errors).toEqual([])
    await window.close()
  })
})
