import { mkdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { findChromium, launchChromium, type Page } from '../../server/test/test-support/browser.ts'
import { cameraFileArgs, drawScene } from '../../server/test/test-support/camera-file.ts'
import { agreeOnPhone, pressOn, titleOn, toPhoto } from '../../server/test/test-support/pages.ts'
import { runProgram } from '../run-program.ts'
import type { Cleanup } from './cleanup.ts'
import type { EvidenceRow } from './proof.ts'
import { claim, DemoFailure, say } from './say.ts'
import type { DemoService } from './service.ts'

const buildClients = resolve(import.meta.dirname, '../build-clients.ts')

/** What phones load; it is built once. */
export const buildPhonePage = async (): Promise<void> => {
  const { code, output } = await runProgram(process.execPath, [buildClients, 'companion'])
  if (code !== 0) throw new DemoFailure(`the phone's page could not be built:\n${output}`)
}

/** The candidate's phone: its page in a browser of its own, with a drawing of a desk for a camera. */
export class DemoPhone {
  readonly #page: Page

  private constructor(page: Page) {
    this.#page = page
  }

  /** Pairs by a code, agrees, places the phone and films. */
  static async pair(service: DemoService, sessionId: string, folder: string, cleanup: Cleanup): Promise<DemoPhone> {
    const link = { params: { id: sessionId }, body: { role: 'companion' } } as const
    const { data } = await service.api.call('sessions.joinLinks.create', link)
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const camera = cameraFileArgs(join(folder, 'phone-camera.mjpeg'), await drawScene('desk'))
    const browser = await launchChromium(findChromium("the candidate's phone"), camera)
    cleanup.add(() => browser.close())
    const context = await browser.newContext({ viewport: { width: 390, height: 844 }, locale: 'en' })
    await context.grantPermissions(['camera'])
    const page = await context.newPage()
    await page.goto(`${service.url}/companion/#${data.joinCode}`)
    await agreeOnPhone(page)
    await toPhoto(page)
    await pressOn(page, 'Send this photo and begin')
    await page.getByText('Recording', { exact: true }).waitFor()
    say('A phone beside the desk is paired by a code, was placed with a photo, and films.')
    return new DemoPhone(page)
  }

  /** The interview has ended: it hears so with a beat, sends what is left, and forgets everything. */
  async finished(): Promise<void> {
    await titleOn(this.#page, 'Done')
    const said = await this.#page.getByRole('main').innerText()
    claim(said.includes('The interview has ended.'), 'the phone has sent everything and has let go by itself', said)
  }
}

/** What came of the phone, and nothing of its live pictures. */
export const checkSideView = (rows: readonly EvidenceRow[]): void => {
  const of = (type: string) => rows.filter(({ evidenceType }) => evidenceType === type)
  const [photos, clips] = [of('placement_photo'), of('side_view_clip')]
  claim(photos.length === 1, 'side view: the photo of where the phone stood is there')
  const seconds = clips.reduce((sum, { durationMs }) => sum + (durationMs ?? 0), 0) / 1000
  claim(clips.length > 0, `side view: ${clips.length} clips, ${seconds.toFixed(0)} s together`)
}

/** Evidence of the phone, which no agent's ledger knows. */
export const isOfPhone = ({ evidenceType }: EvidenceRow): boolean =>
  evidenceType === 'placement_photo' || evidenceType === 'side_view_clip'
