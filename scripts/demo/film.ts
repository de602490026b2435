import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { greys, layoutFilm } from '../../server/src/platform/film/film-layout.ts'
import type { Rectangle } from '../../server/src/platform/film/pictures.ts'
import { compareGaps, seenBesides } from './film-gaps.ts'
import type { EvidenceRow } from './proof.ts'
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

/** Holds every gap of the report that somebody told of against the frames of the film. */
const checkGaps = async (
  file: string,
  { startedAt, report, rows }: { startedAt: string; report: SessionReport; rows: readonly EvidenceRow[] },
): Promise<void> => {
  const from = Date.parse(startedAt)
  const since = (iso: string) => Date.parse(iso) - from
  const { corner } = layoutFilm(1280, 720)
  const places = {
    screen: { patch: { x: 60, y: 60, width: 100, height: 60 }, stills: 'screenshot', clips: [], besides: [] },
    camera: {
      patch: { x: corner.x + 6, y: corner.y + 4, width: 60, height: 24 },
      stills: 'camera_frame',
      clips: rows.filter(({ evidenceType }) => evidenceType === 'camera_clip'),
      besides: rows.filter(({ evidenceType }) => evidenceType === 'side_view_clip'),
    },
  } as const
  for (const [lane, { patch, stills, clips, besides }] of Object.entries(places)) {
    const told = (report.coverage.find((one) => one.lane === lane)?.gaps ?? []).filter(
      ({ reason }) => reason !== 'not_reported',
    )
    const captured = rows
      .filter(({ evidenceType }) => evidenceType === stills)
      .map(({ capturedAt }) => since(capturedAt))
    const spans = besides.map(({ capturedAt, durationMs }) => ({
      fromMs: since(capturedAt),
      untilMs: since(capturedAt) + (durationMs ?? 0),
    }))
    const { problems, inGaps, seen } = compareGaps(
      { lane, framesPerSecond, isCard: await cardFrames(file, patch) },
      {
        gaps: told.map(({ fromAt, toAt }) => ({ fromMs: since(fromAt), untilMs: since(toAt) })),
        besides: seenBesides(spans, [...captured, ...clips.map(({ capturedAt }) => since(capturedAt))]),
        captured,
      },
    )
    claim(
      problems.length === 0 && seen > 0,
      `${lane}: in the ${told.length} gaps of the report the film says that there is nothing (${inGaps} frames looked at), and it shows the ${seen} pictures beside them`,
      problems.slice(0, 5).join('; '),
    )
  }
}

/** Has the picture-in-picture film of the session rendered, keeps it in `folder`, and holds it against the report. */
export const renderFilm = async (
  service: DemoService,
  folder: string,
  { report, rows }: { readonly report: SessionReport; readonly rows: readonly EvidenceRow[] },
): Promise<void> => {
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
  await checkGaps(file, { startedAt: session.startedAt ?? '', report, rows })
}
