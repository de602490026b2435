import { pressOn, roomToLive, titleOn } from '../test-support/pages.ts'
import { buildRoomClient, newRoom } from '../test-support/room-pages.ts'
import type { Album, Shoot } from './album.ts'
import { type Studio, snap, snapAll, withStudio } from './studio.ts'

const links = async (album: Album, { server, api, sit }: Studio): Promise<void> => {
  const { page } = await sit()
  const open = async (link: string, title: string, name: string, hindi = false) => {
    await page.goto('about:blank')
    await page.goto(link)
    await titleOn(page, title)
    await snap(album, page, name, hindi)
  }
  const [ended, released] = [await newRoom(server, api, 5), await newRoom(server, api, 5)]
  await open(`${server.url}/room/`, 'This page opens with a link', '01-no-link', true)
  await open(`${server.url}/room/#ses_1.rmt_cut`, 'This link does not work', '02-wrong-link')
  await server.client(released.token).call('rooms.release', { params: { sessionId: released.id } })
  await open(released.link, 'This link was used and has ended', '03-released-link')
  await api.call('sessions.end', { params: { id: ended.id } })
  await open(ended.link, 'The interview has ended', '04-interview-ended')
}

const consent = async (album: Album, { server, api, sit }: Studio): Promise<void> => {
  const room = await newRoom(server, api, 5)
  const { page } = await sit({ camera: false })
  await page.goto(room.link)
  await titleOn(page, 'May this camera take pictures?')
  await snapAll(album, page, '05-consent')
  await api.call('sessions.patch', { params: { id: room.id }, body: { camera: { stillIntervalSeconds: 7 } } })
  await pressOn(page, 'I agree')
  await page.getByText('This text has changed while you were reading.').waitFor()
  await snap(album, page, '06-consent-changed')
  await pressOn(page, 'I do not agree')
  await titleOn(page, 'No pictures are taken')
  await snap(album, page, '07-declined')
  await pressOn(page, 'Read it again and change my answer')
  await pressOn(page, 'I agree')
  await pressOn(page, 'Turn the camera on')
  await titleOn(page, 'The camera is not permitted')
  await snap(album, page, '08-camera-not-permitted')
}

const live = async (album: Album, { server, api, sit }: Studio): Promise<void> => {
  const room = await newRoom(server, api, 5)
  const { page, context } = await sit()
  await page.goto(room.link)
  await pressOn(page, 'I agree')
  await titleOn(page, 'Choose the camera')
  await snap(album, page, '09-camera')
  await pressOn(page, 'Turn the camera on')
  await page.getByLabel('What the camera sees now').waitFor()
  await snap(album, page, '10-camera-picture')
  await pressOn(page, 'Start taking pictures')
  await page.getByAltText('The last picture sent').waitFor()
  await snapAll(album, page, '11-live')
  await pressOn(page, 'Stop')
  await snap(album, page, '12-stop-question')
  await pressOn(page, 'Go on')
  await context.setOffline(true)
  // Pictures are gathered for some seconds before they are sent.
  await page.getByText('The service cannot be reached at the moment.').waitFor({ timeout: 60_000 })
  await snap(album, page, '13-live-offline')
  await pressOn(page, 'Stop')
  await pressOn(page, 'Stop and leave')
  await titleOn(page, 'The camera is off')
  await page.getByText('This page tries again by itself.').waitFor()
  await snap(album, page, '14-leaving-offline')
  await context.setOffline(false)
  await titleOn(page, 'Done')
  await snap(album, page, '15-done')
}

const tabsAndPolicy = async (album: Album, { server, api, sit }: Studio): Promise<void> => {
  const room = await newRoom(server, api, 5)
  const { page, context } = await sit()
  await page.goto(room.link)
  await roomToLive(page)
  const other = await context.newPage()
  await other.goto(room.link)
  await titleOn(other, 'This room is open in another tab')
  await snap(album, other, '16-other-tab')
  await api.call('sessions.patch', { params: { id: room.id }, body: { camera: { stills: false } } })
  await titleOn(page, 'No pictures are asked for at the moment')
  await snap(album, page, '17-not-asked-for')
}

const broken = async (album: Album, { server, api, sit }: Studio): Promise<void> => {
  const room = await newRoom(server, api, 5)
  const { page } = await sit()
  await page.route('**/v1/**', (route) => route.abort())
  await page.goto(room.link)
  await titleOn(page, 'The service cannot be reached')
  await snap(album, page, '18-unreachable')
  for (const [name, script, title] of [
    [
      '19-no-camera-here',
      "Object.defineProperty(navigator, 'mediaDevices', {})",
      'This browser cannot use a camera here',
    ],
    [
      '20-keeps-nothing',
      "Object.defineProperty(window, 'indexedDB', { value: undefined })",
      'This browser cannot store pictures',
    ],
  ] as const) {
    const { page } = await sit()
    await page.addInitScript(script)
    await page.goto(room.link)
    await titleOn(page, title)
    await snap(album, page, name)
  }
}

/** The browser of the room, every page of it. */
export const roomScreens: Shoot = {
  name: 'room',
  run: async (album) => {
    buildRoomClient()
    await withStudio({ scene: 'room', width: 1100, height: 720 }, async (studio) => {
      for (const part of [links, consent, live, tabsAndPolicy, broken]) await part(album, studio)
    })
  },
}
