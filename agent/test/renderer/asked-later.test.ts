import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { until } from '../test-support/until.ts'
import { askingState, buildAsked, recordingState } from './states.ts'
import { en, hi } from './texts.ts'
import { accessibilityFaults, chromiumPath, type OpenWindow, sharedWindows, type Windows } from './window-under-test.ts'

let windows: Windows
let open: OpenWindow | undefined

const given = async (...args: Parameters<Windows['open']>): Promise<OpenWindow> => {
  open = await windows.open(...args)
  return open
}
const card = ({ page }: OpenWindow, lane: string) => page.locator(`[data-asked=${lane}]`)
const agree = (window: OpenWindow, lane: string) => card(window, lane).getByRole('button', { name: /^Agree/ })
const decline = (window: OpenWindow, lane: string) =>
  card(window, lane).getByRole('button', { name: /^No, do not record this/ })

describe.skipIf(!chromiumPath)('what is asked for while it records', () => {
  beforeAll(async () => {
    windows = await sharedWindows()
  })
  afterAll(() => windows?.closeAll())
  afterEach(async () => {
    expect(open?.errors ?? []).toEqual([])
    await open?.close()
    open = undefined
  })

  it('says who asks for what, why, how often, how long and for whom, in the words of the document', async () => {
    const window = await given(askingState())
    const asked = buildAsked()
    const words = (await card(window, 'microphone').textContent()) ?? ''
    for (const text of [
      en.askedTitle.replace('{org}', 'Harbour & Sons').replace('{lane}', en['lane.microphone']),
      asked.document.lanes.find(({ lane }) => lane === 'microphone')?.text ?? '?',
      en['why.microphone'],
      en['often.sound'].replace('{n}', '10'),
      en.consentKeptText.replace('{org}', 'Harbour & Sons').replace('{days}', '90'),
      en.consentReadersText.replaceAll('{org}', 'Harbour & Sons'),
      en.askedText,
    ])
      expect(words).toContain(text)
    const more = (await card(window, 'screen').textContent()) ?? ''
    expect(more).toContain(en.askedMoreTitle.replace('{org}', 'Harbour & Sons').replace('{lane}', en['lane.screen']))
    expect(more).toContain(en.askedMore)
    expect(more).toContain(en.changeBefore.replace('{before}', asked.lanes[0]?.before ?? '?'))
    // The recording that goes on is shown as before.
    await window.page.getByRole('main').getByText(en.recordingState).waitFor()
    expect(await accessibilityFaults(window.page)).toEqual([])
  })

  it('offers two answers that look alike, with nothing chosen and no time running', async () => {
    const window = await given(askingState())
    const looks = await Promise.all(
      [agree(window, 'microphone'), decline(window, 'microphone')].map(async (button) => {
        const box = await button.boundingBox()
        const style = (await button.evaluate((one) => {
          const { color, backgroundColor, fontWeight, fontSize, borderTopWidth } =
            one.ownerDocument.defaultView.getComputedStyle(one)
          return { color, backgroundColor, fontWeight, fontSize, borderTopWidth }
        })) as Record<string, string>
        return { style, height: box?.height }
      }),
    )
    expect(looks[0]).toEqual(looks[1])
    expect(looks[0]?.height).toBeGreaterThanOrEqual(44)
    expect(await card(window, 'microphone').getByRole('timer').count()).toBe(0)
  })

  it('sends the answer to the words that are on the screen, one part at a time', async () => {
    const window = await given(askingState())
    const { core } = window
    const { hash } = buildAsked().document
    await agree(window, 'microphone').click()
    await until('the yes', () => core.inputsOf('recording.answer').length === 1)
    await decline(window, 'screen').click()
    await until('the no', () => core.inputsOf('recording.answer').length === 2)
    expect(core.inputsOf('recording.answer')).toEqual([
      { hash, lane: 'microphone', agree: true },
      { hash, lane: 'screen', agree: false },
    ])
  })

  it('takes no second answer while the first is on its way, and says that it is', async () => {
    const window = await given(askingState(buildAsked([{ lane: 'microphone', sending: true }])))
    await card(window, 'microphone').getByText(en.askedSending).waitFor()
    await decline(window, 'microphone').click({ force: true })
    await agree(window, 'microphone').click({ force: true })
    expect(window.core.sent).toEqual([])
  })

  it('keeps the place of a person who uses the keyboard when a card goes, and reads out one that comes', async () => {
    const window = await given(recordingState())
    const { page, core } = window
    await core.show(askingState())
    const said = en['said.asked'].replace('{lane}', en['lane.microphone'])
    await page.locator('[data-part=announcer]').getByText(said).waitFor()
    await agree(window, 'microphone').focus()
    await page.keyboard.press('Enter')
    await core.show(askingState(buildAsked([{ lane: 'screen', sending: false }])))
    await card(window, 'microphone').waitFor({ state: 'detached' })
    await page.keyboard.press('Tab')
    expect(await page.evaluate("document.activeElement.closest('[data-asked]')?.dataset.asked")).toBe('screen')
  })

  it('may be declined also where it is needed, and says what follows', async () => {
    const asked = buildAsked([{ lane: 'microphone', sending: false }], { optionalLanes: [] })
    const window = await given(askingState(asked))
    await card(window, 'microphone').getByText(en.askedNeeded.replace('{org}', 'Harbour & Sons')).waitFor()
    await decline(window, 'microphone').click()
    await until('the no', () => window.core.inputsOf('recording.answer')[0]?.agree === false)
  })

  it('is there in Hindi, around the words that the service has', async () => {
    const window = await given({ ...askingState(), locale: 'hi' })
    const words = (await card(window, 'microphone').textContent()) ?? ''
    expect(words).toContain(hi.askedDecline)
    expect(words).toContain(hi.consentFrom)
    expect(words).toContain(buildAsked().document.lanes.find(({ lane }) => lane === 'microphone')?.text)
  })
})
