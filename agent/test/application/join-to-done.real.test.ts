import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { buildRoomClient } from '../../../server/test/test-support/room-pages.ts'
import { runCommand, stopChild } from '../../src/shared/child-process.ts'
import type { WindowState } from '../../src/shared/ipc/window-state.ts'
import { type RealServer, signInOwner, startRealServer } from '../end-to-end/real-server.ts'
import { en } from '../renderer/texts.ts'
import { chromiumPath } from '../renderer/window-under-test.ts'
import { decodeSound, heardAmplitude, toneAmplitude } from '../test-support/decode.ts'
import { decodePicture, difference, testPictures } from '../test-support/pictures.ts'
import { until } from '../test-support/until.ts'
import {
  canRunWith,
  desktopPrograms,
  soundPrograms,
  startVirtualDesktop,
  type VirtualDesktop,
} from '../test-support/virtual-desktop.ts'
import { Application, type BuiltPages, buildPages } from './application.ts'

const voiceHertz = 440
const speakerHertz = 1250
const heardLevel = 0.05
const notHeard = 0.01

const laneOf = (state: WindowState, lane: string) => state.recording?.lanes.find((recorded) => recorded.lane === lane)

const ready = canRunWith('the application in a browser', [...desktopPrograms, ...soundPrograms]) && chromiumPath

describe.skipIf(!ready)('the application, from the code to the end, with the built pages in a real browser', () => {
  let desktop: VirtualDesktop
  let server: RealServer
  let owner: Awaited<ReturnType<typeof signInOwner>>
  let pages: BuiltPages
  let folder: string
  let camera: string
  let voice: string
  let cameraFrame: Buffer
  const running: Application[] = []

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'application-test-'))
    desktop = await startVirtualDesktop()
    await desktop.fill('#336699')
    server = await startRealServer()
    owner = await signInOwner(server)
    buildRoomClient()
    pages = await buildPages()
    cameraFrame = await testPictures('smptebars=size=640x480:duration=1:rate=1')
    camera = join(folder, 'camera.mjpeg')
    // A single picture would be taken for the end of the film.
    await writeFile(camera, Buffer.concat([cameraFrame, cameraFrame, cameraFrame]))
    voice = join(folder, 'voice.wav')
    const tone = ['-n', '-r', '48000', '-c', '1', voice, 'synth', '10', 'sine', String(voiceHertz), 'vol', '0.5']
    await runCommand('sox', tone, { env: desktop.env })
  })
  afterEach(async () => {
    for (const application of running.splice(0)) await application.stop()
  })
  afterAll(async () => {
    await pages?.remove()
    await server?.remove()
    await desktop?.stop()
    await rm(folder, { recursive: true, force: true })
  })

  const start = async (): Promise<Application> => {
    const application = await Application.start({ pages, desktop, camera, voice })
    running.push(application)
    return application
  }

  const schedule = async (over: object = {}) => {
    const config = {
      capture: { screenshotIntervalSeconds: 2 },
      audio: { chunkSeconds: 2 },
      camera: { stillIntervalSeconds: 1 },
      sideView: { enabled: true },
      ...over,
    }
    const body = { externalId: 'window', candidateLabel: 'Candidate 12', config }
    const { data: session } = await server.api.call('sessions.create', { body })
    const link = { params: { id: session.id }, body: { role: 'candidate' } } as const
    const { data } = await server.api.call('sessions.joinLinks.create', link)
    return { id: session.id, joinCode: data.joinCode }
  }

  /** As a member who looks on: what is captured while somebody watches is sent at once. */
  const evidenceOf = async (id: string, evidenceType: string) => {
    await owner.portal.call('sessions.live', { params: { id }, headers: { cookie: owner.cookie } })
    const { data } = await server.api.call('sessions.evidence.list', { params: { id }, query: { limit: 100 } })
    return data.items.filter((item) => item.evidenceType === evidenceType)
  }

  const bytesOf = async (id: string): Promise<Buffer> => {
    const { data } = await server.api.call('evidence.downloadUrl', { params: { id } })
    return Buffer.from(await (await fetch(data.url)).arrayBuffer())
  }

  /** The window's own way: code, who asks, yes to every part, device check, begin. */
  const joinByWindow = async ({ page }: Application, joinCode: string): Promise<void> => {
    await page.getByLabel(en.codeLabel).fill(joinCode.toLowerCase().replace('-', ' '))
    const address = page.getByLabel(en.serverLabel)
    if (await address.isVisible()) await address.fill(server.url)
    await page.getByRole('button', { name: en.codeGo }).click()
    await page.getByRole('button', { name: en.whoNext }).click()
    for (const yes of await page.getByLabel(en.yes, { exact: true }).all()) await yes.check()
    await page.getByRole('button', { name: en.answerAgree }).click()
    await page.getByRole('button', { name: en.confirmSend }).filter({ visible: true }).click()
    await page.getByRole('heading', { name: en.checkTitle }).waitFor()
  }

  const record = async (application: Application, over: object = {}): Promise<string> => {
    const { id, joinCode } = await schedule(over)
    await joinByWindow(application, joinCode)
    // What does not work yet is asked about, for as long as it does not.
    await application.until('every lane to be tried', ({ check }) =>
      Boolean(check?.lanes.every(({ state }) => state !== 'trying')),
    )
    await application.page.getByRole('button', { name: en.checkBegin }).click()
    const question = application.page
      .getByRole('button', { name: en.beginConfirm, exact: true })
      .filter({ visible: true })
    await question.or(application.page.getByRole('main').getByText(en.recordingState)).first().waitFor()
    if (await question.isVisible()) await question.click()
    await application.page.getByRole('main').getByText(en.recordingState).waitFor()
    return id
  }

  it('shows every screen in turn, and what was shown and heard is what the server has', async () => {
    const { id, joinCode } = await schedule()
    const application = await start()
    const { page } = application
    const speaker = await desktop.playTone('speaker', speakerHertz, 120)
    await joinByWindow(application, joinCode)
    await application.until(
      'every lane to work',
      ({ check }) => check?.lanes.every(({ state }) => state === 'working') ?? false,
    )
    expect(application.state.check?.lanes.map(({ lane }) => lane)).toEqual([
      'screen',
      'microphone',
      'system_audio',
      'camera',
    ])
    await page.getByText(en.checkReady).waitFor()
    // The browser of this machine cannot record what the speakers play: the sound server's driver takes over.
    const drivers = ['web-screen', 'web-microphone', 'pulse-system-audio', 'web-camera']
    await application.until(drivers.join(', '), ({ check }) =>
      drivers.every((driver, n) => check?.lanes[n]?.driver === driver),
    )
    // Tried, and nothing has left this computer.
    expect((await evidenceOf(id, 'screenshot')).length).toBe(0)
    await page.getByRole('button', { name: en.checkBegin }).click()
    await page.getByRole('main').getByText(en.recordingState).waitFor()
    for (const lane of ['screen', 'camera']) await page.locator(`.lane[data-lane="${lane}"] img`).first().waitFor()
    for (const lane of ['microphone', 'system_audio'])
      await until(`the level of ${lane}`, () =>
        page
          .locator(`.lane[data-lane="${lane}"] meter`)
          .evaluate((meter: { value?: number }) => (meter.value ?? -70) > -40),
      )
    if (process.env['LOOK']) await page.screenshot({ path: `${process.env['LOOK']}/recording.png`, fullPage: true })
    await until('pictures and sound of every lane on the server', async () => {
      const types = ['screenshot', 'camera_frame', 'audio_chunk', 'system_audio_chunk']
      const counts = await Promise.all(types.map(async (type) => (await evidenceOf(id, type)).length))
      return counts.every((count) => count >= 2)
    })
    const grab = ['-loglevel', 'error', '-f', 'x11grab', '-i', String(desktop.env['DISPLAY']), '-frames:v', '1']
    const { stdout: shown } = await runCommand('ffmpeg', [...grab, '-f', 'image2', '-c:v', 'png', 'pipe:1'], {
      env: desktop.env,
    })
    const grabbedAt = Date.now()
    await until('a still after that', async () =>
      (await evidenceOf(id, 'screenshot')).some(({ capturedAt }) => Date.parse(capturedAt) > grabbedAt),
    )
    await page.getByRole('button', { name: en.end }).click()
    await page.getByRole('button', { name: en.endConfirm, exact: true }).filter({ visible: true }).click()
    await page.getByRole('heading', { name: en.doneTitle }).waitFor()
    await stopChild(speaker)
    expect(application.states.map(({ screen }) => screen).filter((screen, n, all) => screen !== all[n - 1])).toEqual(
      expect.arrayContaining(['joining', 'consent', 'check', 'registering', 'recording', 'finishing', 'done']),
    )

    const stills = await evidenceOf(id, 'screenshot')
    const nearest = stills
      .toSorted(
        (a, b) => Math.abs(Date.parse(a.capturedAt) - grabbedAt) - Math.abs(Date.parse(b.capturedAt) - grabbedAt),
      )
      .slice(0, 4)
    // Small and soft, so that a clock that ticked between the two does not count; of a few, as what moves is drawn when it can be.
    const small = async (bytes: Buffer) =>
      decodePicture(await sharp(bytes).resize(160, 90, { fit: 'fill' }).png().toBuffer())
    const asShown = await small(shown)
    const differences = await Promise.all(
      nearest.map(async (still) => difference(await small(await bytesOf(still.id)), asShown)),
    )
    expect(Math.min(...differences), differences.join(' ')).toBeLessThan(6)

    const [frame] = await evidenceOf(id, 'camera_frame')
    expect(
      difference(await decodePicture(await bytesOf(frame?.id ?? '')), await decodePicture(cameraFrame)),
    ).toBeLessThan(6)

    const heard = async (type: string) => {
      const [, second] = (await evidenceOf(id, type)).toSorted((a, b) => a.capturedAt.localeCompare(b.capturedAt))
      return decodeSound(await bytesOf(second?.id ?? ''))
    }
    const microphone = await heard('audio_chunk')
    expect(heardAmplitude(microphone, voiceHertz)).toBeGreaterThan(heardLevel)
    expect(toneAmplitude(microphone, speakerHertz)).toBeLessThan(notHeard)
    const system = await heard('system_audio_chunk')
    expect(heardAmplitude(system, speakerHertz)).toBeGreaterThan(heardLevel)
    expect(toneAmplitude(system, voiceHertz)).toBeLessThan(notHeard)

    const { data: report } = await server.api.call('sessions.report', { params: { id } })
    for (const lane of ['screen', 'microphone', 'system_audio', 'camera'])
      expect(
        report.coverage.find((entry) => entry.lane === lane),
        lane,
      ).toMatchObject({ declined: false })
    expect(application.browser.errors).toEqual([])
  })

  it("leads from its last page to the service's own page about what is kept, which opens with the session", async () => {
    const application = await start()
    const id = await record(application)
    const { page } = application
    await until('a still', async () => (await evidenceOf(id, 'screenshot')).length > 0)
    await page.getByRole('button', { name: en.end }).click()
    await page.getByRole('button', { name: en.endConfirm, exact: true }).filter({ visible: true }).click()
    await page.getByRole('heading', { name: en.doneTitle }).waitFor()
    expect(await page.locator('[data-part="requests-address"]').textContent()).toBe(`${server.url}/requests/#${id}`)
    await page.getByRole('button', { name: en.requestsOpen }).click()
    await page.getByRole('main').getByText(en['requestsOpened.link']).waitFor()
    expect(application.opened).toHaveLength(1)
    expect(await page.content()).not.toContain('crq_')
    const person = await page.context().newPage()
    await person.goto(application.opened[0] ?? '')
    await person.getByText(id, { exact: true }).waitFor()
    expect(await person.textContent('main')).toContain('Your interview with Test')
    expect(await person.textContent('main')).not.toContain('Candidate 12')
    expect(person.url()).not.toContain('crq_')
    await person.close()
    // What was written down instead leads to the form that has a link sent.
    const later = await page.context().newPage()
    await later.goto(application.state.session?.requestsAddress ?? '')
    expect(await later.getByRole('textbox').first().inputValue()).toBe(id)
    await later.close()
  })

  it('stops a lane that the policy turns off, at once, and says so in the window', async () => {
    const application = await start()
    const id = await record(application)
    await application.until('the live link', ({ network }) => network.live)
    await application.until('the camera', (state) => laneOf(state, 'camera')?.state === 'up')
    await server.api.call('sessions.patch', { params: { id }, body: { camera: { enabled: false } } })
    await application.until('the camera to be off', (state) => laneOf(state, 'camera')?.state === 'off')
    const card = application.page.locator('[data-lane=camera]')
    await card.getByText(en['state.off']).waitFor()
    const before = (await evidenceOf(id, 'camera_frame')).length
    await server.api.call('sessions.patch', { params: { id }, body: { camera: { enabled: true } } })
    await application.until('the camera to be back', (state) => laneOf(state, 'camera')?.state === 'up')
    await until('further frames', async () => (await evidenceOf(id, 'camera_frame')).length > before)
  })

  it('asks for a part that the policy turns on later, in the window, and records it once it is agreed to', async () => {
    const application = await start()
    const id = await record(application, { camera: { enabled: false } })
    const { page } = application
    await application.until('the live link', ({ network }) => network.live)
    await server.api.call('sessions.patch', { params: { id }, body: { camera: { enabled: true } } })
    const yes = page.getByRole('button', { name: en.askedAgreeOf.replace('{lane}', en['lane.camera']) })
    await yes.waitFor()
    expect((await evidenceOf(id, 'camera_frame')).length).toBe(0)
    await application.until('the screen, meanwhile', (state) => laneOf(state, 'screen')?.state === 'up')
    await yes.click()
    await until('frames of the camera', async () => (await evidenceOf(id, 'camera_frame')).length > 0)
    const { data } = await server.api.call('sessions.get', { params: { id } })
    expect(data.consent.lanes.camera).toMatchObject({ granted: true })
  })

  it('withdraws a part, and goes on with the others', async () => {
    const application = await start()
    const id = await record(application)
    const { page } = application
    await page.getByRole('button', { name: en.withdrawOf.replace('{lane}', en['lane.microphone']) }).click()
    await page.getByRole('button', { name: en.withdrawConfirm, exact: true }).filter({ visible: true }).last().click()
    await application.until('the withdrawal', (state) => laneOf(state, 'microphone')?.state === 'withdrawn')
    await until('the service to know', async () => {
      const { data } = await server.api.call('sessions.get', { params: { id } })
      return data.consent.lanes.microphone?.withdrawnAt !== null
    })
    await application.until('the screen, as before', (state) => laneOf(state, 'screen')?.state === 'up')
  })

  it('goes on with the session in a new process after it was left in the middle', async () => {
    const application = await start()
    const id = await record(application)
    await until('a still', async () => (await evidenceOf(id, 'screenshot')).length > 0)
    await application.stopCore()
    await application.startCore()
    await application.page.reload()
    await application.page.getByRole('main').getByText(en.recordingState).waitFor()
    await application.until('the screen', (state) => laneOf(state, 'screen')?.state === 'up')
    expect(application.state.session?.id).toBe(id)
    await server.api.call('sessions.end', { params: { id }, body: {} })
    await application.page.getByRole('heading', { name: en.doneTitle }).waitFor()
    expect(application.state.ended).toMatchObject({ by: 'service' })
  })

  it('invites a phone with a picture to scan, and shows how it does', async () => {
    const application = await start()
    const id = await record(application)
    const { page } = application
    await page.getByRole('button', { name: en.phoneInvite }).click()
    await page.getByRole('img', { name: en.phoneQr }).waitFor()
    const { phone } = application.state
    expect(phone).toMatchObject({ state: 'code', url: expect.stringContaining('/companion/#') })
    const joinCode = phone?.joinCode ?? ''
    await page.getByText(joinCode, { exact: true }).waitFor()
    const device = { name: 'Phone', platform: 'android' }
    const { data: claimed } = await server.api.call('pairings.claim', { params: { joinCode }, body: { device } })
    expect(claimed.session.id).toBe(id)
    await page.getByText(en['phone.paired'], { exact: true }).waitFor()
    expect(application.state.phone).toMatchObject({ state: 'paired', recording: 'off', placementConfirmed: false })
  })

  it('hears the sound that the window plays, on the part that records what the computer plays', async () => {
    const { joinCode } = await schedule()
    const application = await start()
    await joinByWindow(application, joinCode)
    await application.until('the part to run', ({ check }) => {
      const lane = check?.lanes.find((checked) => checked.lane === 'system_audio')
      return lane !== undefined && lane.state !== 'trying'
    })
    await application.page.getByRole('button', { name: en.speakerPlay }).click()
    await application.page.getByText(en['speaker.heard']).waitFor()
  })

  it('names a wrong code and an unknown address, and lets both be mended', async () => {
    const application = await start()
    const { page } = application
    await page.getByLabel(en.codeLabel).fill('ABCD-EFGH')
    await page.getByLabel(en.serverLabel).fill('http://example.org')
    await page.getByRole('button', { name: en.codeGo }).click()
    await page.getByText(en['problem.server_not_https.title']).waitFor()
    await page.getByLabel(en.serverLabel).fill(server.url)
    await page.getByRole('button', { name: en.codeGo }).click()
    await page.getByText(en['problem.code_not_valid.title']).waitFor()
    const { joinCode } = await schedule()
    await joinByWindow(application, joinCode)
  })
})
