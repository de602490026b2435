import type { Page } from 'playwright-core'
import { bringForward, buildCompanionClient, newPhoneLink } from '../test-support/companion-pages.ts'
import { agreeOnPhone, phoneToLive, pressOn, stopPhone, tickAll, titleOn, toPhoto } from '../test-support/pages.ts'
import type { Album, Shoot } from './album.ts'
import { type Studio, snap, snapOnce, snapSmall, withStudio } from './studio.ts'

const agents = {
  iPhone:
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 Version/18.5 Mobile Safari/604.1',
  android: 'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 Chrome/141.0.0.0 Mobile Safari/537.36',
} as const
/** The page explains the dialogs of this phone's system. */
const pretend = (page: Page, phone: keyof typeof agents): Promise<unknown> =>
  page.addInitScript(`Object.defineProperty(navigator, 'userAgent', { get: () => '${agents[phone]}' })`)

const code = async (album: Album, { server, sit }: Studio): Promise<void> => {
  const { page } = await sit()
  await page.addInitScript('window.BarcodeDetector = class { async detect() { return [] } }')
  await page.goto(`${server.url}/companion/`)
  await titleOn(page, 'Connect this phone')
  await snap(album, page, '01-code', true)
  await snapSmall(album, page, '01-code')
  await page.getByLabel('Code').fill('ZZZZ-ZZZZ')
  await pressOn(page, 'Connect')
  await page.getByText('This code is not known').waitFor()
  await snap(album, page, '02-code-not-known')
  await pressOn(page, 'Scan the code')
  await page.locator('video').waitFor()
  await snap(album, page, '03-scan')
}

/** Before the camera is asked for and after it was refused, on an iPhone; the others show Android. */
const onAnIPhone = async (album: Album, { server, api, sit }: Studio): Promise<void> => {
  const phone = await newPhoneLink(server, api, true)
  const { page } = await sit({ camera: false })
  await pretend(page, 'iPhone')
  await page.goto(phone.link)
  await agreeOnPhone(page)
  await titleOn(page, 'Place the phone')
  await snapOnce(album, page, '22-ask-iphone')
  await pressOn(page, 'Turn the camera on')
  await page.getByText('The camera is not permitted.').waitFor()
  await snapOnce(album, page, '23-refused-iphone')
}

const consent = async (album: Album, { server, api, sit }: Studio): Promise<void> => {
  const phone = await newPhoneLink(server, api, true)
  const { page } = await sit({ camera: false })
  await pretend(page, 'android')
  await page.goto(phone.link)
  await titleOn(page, 'May this phone show your desk?')
  await snap(album, page, '04-consent', true)
  await pressOn(page, 'I do not agree')
  await titleOn(page, 'This phone sends nothing')
  await snap(album, page, '05-declined')
  await pressOn(page, 'Read it again and change my answer')
  await pressOn(page, 'I agree')
  await pressOn(page, 'Turn the camera on')
  await page.getByText('The camera is not permitted.').waitFor()
  await snap(album, page, '06-camera-not-permitted')
}

const placement = async (album: Album, page: Page): Promise<void> => {
  await titleOn(page, 'Place the phone')
  await snap(album, page, '07-place')
  await pressOn(page, 'Turn the camera on')
  await page.getByText('Light: bright enough').waitFor()
  await snap(album, page, '08-place-camera', true)
  await tickAll(page)
  await snapSmall(album, page, '09-place-ticked')
  await pressOn(page, 'Take the photo')
  await page.getByAltText('The photo that you took').waitFor()
  await snap(album, page, '10-photo-shown')
  await pressOn(page, 'Send this photo and begin')
}

const live = async (album: Album, { server, api, sit }: Studio): Promise<void> => {
  const phone = await newPhoneLink(server, api, true)
  const { page, context } = await sit()
  await pretend(page, 'android')
  await page.goto(phone.link)
  await agreeOnPhone(page)
  await placement(album, page)
  await page.getByText('Recording', { exact: true }).waitFor()
  await snap(album, page, '11-recording', true)
  await snapSmall(album, page, '11-recording')
  await pressOn(page, 'Stop and disconnect')
  await snapSmall(album, page, '12-stop-question')
  await pressOn(page, 'Go on')
  await bringForward(page, false)
  await page.getByText('Another app was in front.').waitFor()
  await snap(album, page, '13-interrupted', true)
  await context.setOffline(true)
  await bringForward(page, true)
  await page.getByText('The service cannot be reached at the moment.').waitFor()
  await snapOnce(album, page, '14-back-and-offline')
  await stopPhone(page)
  await titleOn(page, 'The camera is off')
  await snap(album, page, '15-leaving-offline')
  await context.setOffline(false)
  await titleOn(page, 'Done')
  await snap(album, page, '16-done')
}

/** A minute later, by a clock of its own. */
const resting = async (album: Album, { server, api, sit }: Studio): Promise<void> => {
  const phone = await newPhoneLink(server, api, true)
  const { page } = await sit()
  await page.clock.install()
  await page.goto(phone.link)
  await phoneToLive(page)
  await page.getByText('Recording', { exact: true }).waitFor()
  await page.clock.fastForward(61_000)
  await page.getByText('Touch the screen to see it again.').waitFor()
  await snapSmall(album, page, '24-resting')
}

const previewAndTabs = async (album: Album, { server, api, sit }: Studio): Promise<void> => {
  const phone = await newPhoneLink(server, api)
  const { page, context } = await sit()
  await page.goto(phone.link)
  await agreeOnPhone(page)
  await toPhoto(page)
  await pressOn(page, 'Send this photo and begin')
  await page.getByText('Live picture only: people of the organisation can watch it now; it is not kept').waitFor()
  await snapOnce(album, page, '17-preview')
  const other = await context.newPage()
  await other.goto(phone.link)
  await titleOn(page, 'This page is open in another tab')
  await snap(album, page, '18-other-tab')
  await api.call('sessions.patch', { params: { id: phone.id }, body: { sideView: { enabled: false } } })
  await other.getByText('Paused: the organisation does not ask for the side view').waitFor({ timeout: 40_000 })
  await snap(album, other, '19-paused')
}

const unsupported = async (album: Album, { server, sit }: Studio): Promise<void> => {
  for (const [name, script, title] of [
    [
      '20-no-camera-here',
      "Object.defineProperty(navigator, 'mediaDevices', {})",
      'This browser cannot use a camera here',
    ],
    [
      '21-keeps-nothing',
      "Object.defineProperty(window, 'indexedDB', { value: undefined })",
      'This browser cannot store recordings',
    ],
  ] as const) {
    const { page } = await sit()
    await page.addInitScript(script)
    await page.goto(`${server.url}/companion/`)
    await titleOn(page, title)
    await snap(album, page, name)
  }
}

/** The phone's web form, every screen of it. */
export const phoneScreens: Shoot = {
  name: 'phone',
  run: async (album) => {
    buildCompanionClient()
    await withStudio({ scene: 'desk', width: 390, height: 844 }, async (studio) => {
      for (const part of [code, consent, onAnIPhone, live, resting, previewAndTabs, unsupported])
        await part(album, studio)
    })
  },
}
