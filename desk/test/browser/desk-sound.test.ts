import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { systemClock } from '../../../server/src/platform/clock.ts'
import { createFilmEngine } from '../../../server/src/platform/film/film-engine.ts'
import {
  buildCaptureSession,
  iso,
  newClientId,
  picture,
  sha256,
} from '../../../server/test/test-support/capture-session.ts'
import { type PackedItem, packedStill, sendPack } from '../../../server/test/test-support/packs.ts'
import { pressOn, titleOn } from '../../../server/test/test-support/pages.ts'
import { isLargeProof } from '../../../server/test/test-support/proof.ts'
import { frontWidth, keepSounds } from './desk-player.test-support.ts'
import { describeDesk } from './desk-use.test-support.ts'

const chunkMs = 5000
const chunks = 12
/** A chunk that never came, of both: a gap. */
const missing = 7

/** A tone of a tenth of a second at the begin of each chunk, in Opus as agents send it. */
const beep = (): Buffer => {
  const folder = mkdtempSync(join(tmpdir(), 'beep-'))
  const file = join(folder, 'beep.webm')
  const tone = `sine=frequency=1000:duration=5:sample_rate=48000,volume='if(lt(t,0.1),1,0)':eval=frame`
  execFileSync('ffmpeg', ['-v', 'error', '-f', 'lavfi', '-i', tone, '-t', '5', '-ac', '1', '-c:a', 'libopus', file])
  const bytes = readFileSync(file)
  rmSync(folder, { recursive: true })
  return bytes
}

/** Its width says which it is. */
const flash = (n: number): Promise<Buffer> => picture('webp', 20 + n, 16)

/** Another flash is shown: which one, and how far its beep is from it in milliseconds of whoever listens. */
interface Seen {
  readonly flash: number
  readonly apartMs: number
  /** How long the page then takes to show a picture that it has not seen, without the player. */
  readonly takesMs: number
}

/** Until the next picture of a page that has a processor. */
const usuallyTakesMs = 20

/** How far the clock of the server is behind. */
const back = { ms: 0 }

const overrides = { films: createFilmEngine({ ffmpegPath: undefined }, systemClock) }
const options = { now: () => Date.now() - back.ms, overrides }
describeDesk('a beep and a flash in a browser', options, ({ team, open: openDesk }) => {
  let sessionId = ''
  beforeAll(async () => {
    back.ms = chunkMs * chunks + 1000
    const s = await buildCaptureSession(team.server, { environment: 'live' })
    const beganAt = team.server.app.clock.now()
    back.ms = 0
    const body = beep()
    const items: PackedItem[] = []
    for (let n = 0; n < chunks; n += 1) {
      if (n === missing) continue
      const at = iso(beganAt + n * chunkMs)
      items.push(await packedStill(team.server, { body: await flash(n), capturedAt: at }))
      const said = { evidenceType: 'audio_chunk', contentType: 'audio/webm', codec: 'opus', durationMs: chunkMs }
      const head = { clientId: newClientId(), ...said, sha256: sha256(body), startedAt: at, sequence: n }
      items.push({ head, body })
    }
    const answers = await sendPack(s, items)
    expect(answers.filter(({ status }) => status !== 'stored')).toEqual([])
    await s.api.call('sessions.end', { params: { id: s.id } })
    sessionId = s.id
  })

  const open = async (): Promise<Page> => {
    const page = await openDesk(`review/${sessionId}`, 'owner', { prepare: keepSounds })
    await titleOn(page, 'Review')
    await page.getByRole('group', { name: 'Player' }).waitFor()
    await expect.poll(() => frontWidth(page), { timeout: 20_000 }).toBeGreaterThan(0)
    return page
  }

  /** What is seen for so long. */
  const follow = (page: Page, rate: number, forMs: number): Promise<Seen[]> =>
    page.evaluate(`(async () => {
      const canvas = document.createElement('canvas'), { width, height } = Object.assign(canvas, { width: 32, height: 16 })
      const showAgain = async () => {
        canvas.getContext('2d').fillRect(0, 0, Math.random() * width, height)
        const blob = await new Promise((resolve) => canvas.toBlob(resolve, 'image/webp'))
        const asked = performance.now(), image = new Image()
        await new Promise((resolve) => setTimeout(resolve))
        image.src = URL.createObjectURL(blob)
        document.body.append(image)
        await image.decode()
        await new Promise((resolve) => requestAnimationFrame(resolve))
        image.remove()
        URL.revokeObjectURL(image.src)
        return performance.now() - asked
      }
      const until = performance.now() + ${forMs}, found = []
      let before = document.querySelector('.stage .front .shown')?.naturalWidth ?? 0
      while (performance.now() < until) {
        await new Promise((resolve) => requestAnimationFrame(resolve))
        const width = document.querySelector('.stage .front .shown')?.naturalWidth ?? before
        const sound = window.sounds.find(({ paused }) => !paused)
        if (width === before || width === 0) continue
        before = width
        const flash = width - 20
        if (!sound) continue
        const apartMs = (sound.currentTime * 1000 - flash * ${chunkMs}) / ${rate}
        found.push({ flash, apartMs, takesMs: await showAgain() })
      }
      return found
    })()`)

  /**
   * Follows until two flashes after one another are near their beeps. Beside other programs a picture takes longer to be shown, as
   * another one does then without the player, and never comes too early; a difference that stays would let none be near.
   */
  const within = async (page: Page, rate: number): Promise<Seen[]> => {
    const seen: Seen[] = []
    const isNear = ({ apartMs, takesMs }: Seen) => Math.abs(apartMs) < 80 + Math.max(takesMs - usuallyTakesMs, 0)
    const next = async () => {
      seen.push(...(await follow(page, rate, (chunkMs + 500) / rate)))
      return seen.slice(-2).map(isNear)
    }
    await expect
      .poll(next, { timeout: 45_000 })
      .toEqual([true, true])
      .finally(() =>
        console.info(
          seen
            .map((one) => `flash ${one.flash}: ${Math.round(one.apartMs)} ms (${Math.round(one.takesMs)})`)
            .join(', '),
        ),
      )
    expect(Math.min(...seen.map(({ apartMs }) => apartMs))).toBeGreaterThan(-80)
    if (isLargeProof) expect(seen.every(isNear)).toBe(true)
    return seen
  }

  it.each([1, 2])(
    'are within 80 ms of each other at %i×, over seams and after a seek',
    { timeout: 180_000 },
    async (rate) => {
      const page = await open()
      await page.getByLabel('Speed').selectOption(String(rate))
      await pressOn(page, 'Play')
      await within(page, rate)
      await page.getByRole('slider', { name: 'Place in the interview' }).focus()
      await page.keyboard.press('Home')
      await page.keyboard.press('ArrowRight')
      await page.keyboard.press('ArrowRight')
      await page.keyboard.press('ArrowRight')
      await within(page, rate)
    },
  )

  it('have how loud it was along the axis, made when somebody looks, as nobody sent it', async () => {
    const page = await open()
    const turns = setInterval(() => void team.server.processAll(), 500)
    // Columns of the axis in which something was heard: a tenth of a second of each five.
    const drawn = (): Promise<number> =>
      page.evaluate(`(() => {
        const canvas = document.querySelector('.axis .levels')
        const { data, width } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height)
        const heard = new Set()
        for (let at = 3; at < data.length; at += 4) if (data[at] > 0) heard.add(((at - 3) / 4) % width)
        return heard.size
      })()`)
    await expect
      .poll(drawn, { timeout: 60_000 })
      .toBeGreaterThanOrEqual(chunks - 1)
      .finally(() => clearInterval(turns))
  })

  it('are within 80 ms of each other behind a gap', async () => {
    const page = await open()
    await page.getByLabel('Speed').selectOption('2')
    await page.getByRole('slider', { name: 'Place in the interview' }).focus()
    await page.keyboard.press('Shift+ArrowRight')
    await pressOn(page, 'Play')
    const found = await within(page, 2)
    expect(found.map(({ flash: n }) => n)).not.toContain(missing)
    expect(found.some(({ flash: n }) => n > missing)).toBe(true)
  })
})
