import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { greys, layoutFilm } from '../../server/src/platform/film/film-layout.ts'
import type { Rectangle } from '../../server/src/platform/film/pictures.ts'
import { compareGaps } from './film-gaps.ts'
import type { SessionReport } from './report.ts'
import { claim, DemoFailure, mebibytes, say } from './say.ts'
import type { DemoService } from './service.ts'

const patienceMs = 60_000

const rendered = async ({ api }: DemoService, id: string) => {
  const started = Date.now()
  let shown = -1
  for (;;) {
    const { data } = await api.call('compositions.get', { params: { id } })
    if (data.status === 'ready') return data
    if (data.status === 'failed' || Date.now() - started > patienceMs)
      throw new DemoFailure(`the film is ${data.status}: ${data.failure ?? 'it takes too long'}`)
    const percent = Math.round(data.progress * 100)
    if (percent >= shown + 25) {
      shown = percent
      say(`    the film is rendered: ${percent} %`)
    }
    await delay(500)
  }
}

const framesPerSecond = 10
/** Of what stands for a card every pixel has its grey, give or take what the encoder makes of it. */
const cardTolerance = 6

/** Whether the frames of a film show a card in a patch, which lies where a card has no words. */
const cardFrames = async (file: string, { x, y, width, height }: Rectangle): Promise<boolean[]> => {
  const filter = `fps=${framesPerSecond},crop=${width}:${height}:${x}:${y}:exact=1`
  const args = ['-v', 'error', '-i', file, '-vf', filter, '-f', 'rawvideo', '-pix_fmt', 'yuv420p', '-']
  const { stdout } = await promisify(execFile)('ffmpeg', args, { encoding: 'buffer', maxBuffer: 2 ** 28 })
  const luma = width * height
  const isCard: boolean[] = []
  for (let at = 0; at + luma <= stdout.length; at += luma * 1.5)
    isCard.push(stdout.subarray(at, at + luma).every((value) => Math.abs(value - greys.card) <= cardTolerance))
  return isCard
}

type Lane = SessionReport['coverage'][number]

/** The insets of a film, from below: cameras that are a part of the interview. */
const cameras = ['camera', 'room_camera', 'side_view'] as const
const isPart = (lane: Lane | undefined): lane is Lane =>
  lane?.account.some(({ state }) => state !== 'not_wanted') === true

/** Where the film shows each lane: a patch in which a card has no words and no place its name. */
const patchesOf = (report: SessionReport): { readonly lane: Lane; readonly patch: Rectangle }[] => {
  const { insets } = layoutFilm(1280, 720)
  const of = (name: string) => report.coverage.find((one) => one.lane === name)
  const screen = of('screen')
  const small = cameras.map(of).filter(isPart)
  return [
    ...(screen ? [{ lane: screen, patch: { x: 60, y: 60, width: 100, height: 60 } }] : []),
    ...small.map((lane, i) => {
      const { x, y, height } = insets[i]!.place
      return { lane, patch: { x: x + 6, y: y + height - 28, width: 60, height: 24 } }
    }),
  ]
}

/** Holds the account of every source that is seen against the frames of the film. */
const checkAccount = async (
  file: string,
  { startedAt, report }: { startedAt: string; report: SessionReport },
): Promise<void> => {
  const since = (iso: string) => Date.parse(iso) - Date.parse(startedAt)
  for (const { lane, patch } of patchesOf(report)) {
    const spans = (is: (stretch: Lane['account'][number]) => boolean) =>
      lane.account.filter(is).map(({ fromAt, toAt }) => ({ fromMs: since(fromAt), untilMs: since(toAt) }))
    const gaps = spans(({ state, reason }) => state === 'gap' && reason !== 'not_reported')
    const held = spans(({ state, held: isHeld }) => state === 'observed' && isHeld)
    const frames = { lane: lane.lane, framesPerSecond, isCard: await cardFrames(file, patch) }
    const { problems, inGaps, inHeld } = compareGaps(frames, { gaps, held })
    claim(
      problems.length === 0 && inHeld > 0,
      `${lane.lane}: in ${gaps.length} gaps of the account the film shows nothing, of no source (${inGaps} frames), and wherever something was observed and is held it shows it (${inHeld} frames)`,
      problems.slice(0, 5).join('; '),
    )
  }
}

/** Has the picture-in-picture film of the session rendered, keeps it in `folder`, and holds it against the report. */
export const renderFilm = async (service: DemoService, folder: string, report: SessionReport): Promise<void> => {
  const { sessionId } = report
  const { api } = service
  const { data: list } = await api.call('sessions.compositions.list', { params: { id: sessionId } })
  const id = list.items[0]?.id ?? ''
  await api.call('compositions.render', { params: { id } })
  const film = await rendered(service, id)
  const { data } = await api.call('compositions.downloadUrl', { params: { id } })
  const bytes = Buffer.from(await (await fetch(data.url)).arrayBuffer())
  const same = createHash('sha256').update(bytes).digest('hex') === film.integrity?.outputSha256
  const length = ((film.durationMs ?? 0) / 1000).toFixed(0)
  claim(same, `the film: ${length} s of screen, camera and microphone in ${mebibytes(bytes.length)}`, id)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const file = join(folder, 'interview.mp4')
  await writeFile(file, bytes)
  say(`    kept as ${file}`)
  const { data: session } = await api.call('sessions.get', { params: { id: sessionId } })
  await checkAccount(file, { startedAt: session.startedAt ?? '', report })
}
