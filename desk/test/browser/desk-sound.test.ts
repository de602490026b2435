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

/** What the page shows and sounds at one instant, each in milliseconds of the interview. */
interface Instant {
  /** Where the player says it is. */
  readonly at: number
  /** Where the sound is. */
  readonly sound: number
  /** Which flash is in front. */
  readonly flash: number
  /** Which one should be in front; within a millisecond of a change, either of two. */
  readonly due: readonly (number | undefined)[]
}

/** How far the clock of the server is behind. */
const back = { ms: 0 }

const overrides = { films: createFilmEngine({ ffmpegPath: undefined }, systemClock) }
const options = { now: () => Date.now() - back.ms, overrides }
describeDesk('a beep and a flash in a browser', options, ({ team, open: openDesk }) => {
  let sessionId = ''
  /** When each flash comes, in order. */
  let flashes: readonly { readonly n: number; readonly atMs: number }[] = []
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
    const { data } = await s.api.call('sessions.reelIndex.get', { params: { id: s.id } })
    const shown = data.sources.find(({ items }) => items?.contentType.includes('image/webp'))
    const order = Array.from({ length: chunks }, (_, n) => n).filter((n) => n !== missing)
    flashes = order.map((n, index) => ({ n, atMs: shown?.items?.atMs[index] ?? Number.NaN }))
  })

  const open = async (): Promise<Page> => {
    const page = await openDesk(`review/${sessionId}`, 'owner', { prepare: keepSounds })
    await titleOn(page, 'Review')
    await page.getByRole('group', { name: 'Player' }).waitFor()
    await expect.poll(() => frontWidth(page), { timeout: 20_000 }).toBeGreaterThan(0)
    return page
  }

  /**
   * Each instant that the page tells while it plays, from the first whose picture has come until it shows so many other flashes. What is
   * read belongs to one turn of the page, so that a page with little processor tells fewer of them, and no others.
   */
  const follow = (page: Page, others: number): Promise<Instant[]> =>
    page.evaluate(`new Promise((resolve) => {
      const cursor = document.querySelector('.axis .cursor'), seek = document.querySelector('.seek'), found = []
      const flashes = ${JSON.stringify(flashes)}
      let changes = 0
      const watch = new MutationObserver(() => {
        const sound = window.sounds.find(({ paused }) => !paused)
        const width = document.querySelector('.stage.playing .front .shown')?.naturalWidth
        if (!sound || width === undefined) return
        const part = parseFloat(cursor.style.insetInlineStart) / 100
        const at = Number(seek.min) + part * (seek.max - seek.min)
        const due = [at - 1, at + 1].map((ms) => flashes.findLast(({ atMs }) => atMs <= ms)?.n)
        const now = { at, sound: sound.currentTime * 1000, flash: width - 20, due }
        if (found.length === 0 && !due.includes(now.flash)) return
        if (found.length > 0 && found.at(-1).flash !== now.flash) changes += 1
        found.push(now)
        if (changes < ${others}) return
        watch.disconnect()
        resolve(found)
      })
      watch.observe(cursor, { attributes: true })
    })`)

  const median = (of: readonly number[]): number => of.toSorted((a, b) => a - b)[of.length >> 1] ?? Number.NaN

  /** Between one flash and the one after the next: each is there when its time comes, and the sound is where the player is. */
  const within = async (page: Page, rate: number): Promise<Instant[]> => {
    const seen = await follow(page, 2)
    const apart = seen.map(({ at, sound }) => (sound - at) / rate)
    console.info(`${seen.length} instants, the sound apart by ${Math.round(median(apart))} ms`)
    expect(seen.filter(({ flash: n, due }) => !due.includes(n))).toEqual([])
    // A sound that was started late, or had none to play for a while, is moved or catches up: most of the time it is there.
    expect(Math.abs(median(apart))).toBeLessThan(80)
    if (isLargeProof) expect(Math.max(...apart.map(Math.abs))).toBeLessThan(200)
    return seen
  }

  it.each([1, 2])('are within 80 ms of each other at %i×, over seams and after a seek', async (rate) => {
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
  })

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
