import type { EvidenceType } from '@integrity/protocol'
import { inTx } from '../../../kernel/call.ts'
import { iso } from '../../../kernel/time.ts'
import { undoOnRollback } from '../../../platform/db/undo-on-rollback.ts'
import { beginUpload, discardBegin, prepareBegin } from '../../recording/uploads/uploads.begin.service.ts'
import { completeUpload, prepareComplete } from '../../recording/uploads/uploads.complete.service.ts'
import { tidyDiscarded } from '../../recording/uploads/uploads.discard.service.ts'
import { preparePart, writePart } from '../../recording/uploads/uploads.parts.service.ts'
import { sha256 } from './sandbox.captures.service.ts'
import { clipMs, readClip } from './sandbox.clip.model.ts'
import { awayLanes } from './sandbox.coverage.model.ts'
import { spanMs } from './sandbox.dates.model.ts'
import { clientIdOf, doneBefore, type Moment, typeOn, type Work } from './sandbox.moment.service.ts'
import { soundOf } from './sandbox.sound.service.ts'
import type { Made } from './sandbox.types.ts'

interface Whole {
  readonly evidenceType: EvidenceType
  readonly contentType: string
  readonly bytes: Buffer
  readonly durationMs: number
  readonly metadata: Made['metadata']
}

/** Bytes that are the same whenever the step runs, because an upload goes on where it was. */
const wholesOf = async (moment: Moment): Promise<Whole[]> => {
  const { session, run, index, now } = moment
  const films = (['camera_clip', 'screen_clip'] as const).filter((type) => typeOn(session, type))
  const wholes: Whole[] = []
  for (const evidenceType of films)
    wholes.push({
      evidenceType,
      contentType: 'video/webm',
      bytes: await readClip(),
      durationMs: clipMs,
      metadata: { codec: 'vp8' },
    })
  if (typeOn(session, 'system_audio_chunk') && !awayLanes(moment).has('system_audio')) {
    const shots = doneBefore(moment, 'capture', 'keep')
    const at = run.steps[index]?.at ?? 0
    // By plan, not by the clock: when the step runs again, these must be the same bytes.
    const since = now - spanMs(run, at - (shots.at(-1)?.at ?? 0))
    const shot = { at: now, since, index, interviewSeconds: at, number: shots.length }
    const sound = await soundOf(moment, { shot, lane: 'system_audio' })
    if (sound) wholes.push({ ...sound, evidenceType: 'system_audio_chunk' })
  }
  return wholes
}

/** Begins the upload, or goes on with it. Undefined when the session held these bytes already, and has the item now. */
const open = async (moment: Moment, whole: Whole): Promise<string | undefined> => {
  const { call, session, now } = moment
  const { bytes, durationMs, ...said } = whole
  const capturedAt = iso(Math.max(session.startedAt ?? now, now - durationMs))
  const clientId = clientIdOf(moment, whole.evidenceType)
  const item = { ...said, clientId, durationMs, capturedAt, sizeBytes: bytes.length, sha256: sha256(bytes) }
  const begin = await prepareBegin(call, { sessionId: session.id, body: item })
  const { data } = await undoOnRollback(
    () => call.db.transact((tx) => beginUpload(inTx(call, tx), begin)),
    () => discardBegin(call, begin),
  )
  return 'uploadId' in data ? data.uploadId : undefined
}

const sendPart = async ({ call }: Moment, uploadId: string, bytes: Buffer): Promise<void> => {
  const part = await preparePart(call, { uploadId, part: { index: 0, sha256: sha256(bytes), bytes } })
  await undoOnRollback(
    () => call.db.transact((tx) => writePart(inTx(call, tx), part)),
    () => tidyDiscarded(call, part.upload),
  )
}

/** Begin, part, and all but the last word of complete, each in the transactions that an agent's requests have. */
export const prepareUploads = async (moment: Moment): Promise<Work> => {
  const { call } = moment
  const ready: Awaited<ReturnType<typeof prepareComplete>>[] = []
  for (const whole of await wholesOf(moment)) {
    const uploadId = await open(moment, whole)
    if (uploadId === undefined) continue
    await sendPart(moment, uploadId, whole.bytes)
    ready.push(await prepareComplete(call, uploadId))
  }
  return {
    write: async (tx) => {
      for (const upload of ready) await completeUpload(inTx(call, tx), upload)
    },
    discard: async () => {
      for (const upload of ready) await tidyDiscarded(call, upload)
    },
  }
}
