import { createHash } from 'node:crypto'
import { type EvidenceType, evidenceTypes } from '@integrity/protocol'
import { inTx } from '../../../kernel/call.ts'
import type { PreparedItem } from '../../recording/evidence/intake/intake.item.model.ts'
import { discardItem, prepareItem } from '../../recording/evidence/intake/intake.prepare.service.ts'
import { recordPrepared } from '../../recording/evidence/intake/intake.record.service.ts'
import { awayLanes, displayId } from './sandbox.coverage.model.ts'
import { clientIdOf, doneBefore, type Moment, typeOn, type Work } from './sandbox.moment.service.ts'
import { cameraPicture, cameraSize, screenPicture, screenSize } from './sandbox.pictures.model.ts'
import { soundOf, speakingAt } from './sandbox.sound.service.ts'
import type { Made, Shot } from './sandbox.types.ts'

export const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

const shotsOf = (moment: Moment, which: 'now' | 'kept'): Shot[] => {
  const { run, index, now, session } = moment
  const here = { ...run.steps[index]!, index, doneAt: now }
  const taken = doneBefore(moment, 'capture', 'keep')
  const delivered = doneBefore(moment, 'deliver').at(-1)?.index ?? 0
  return [...taken, ...(which === 'now' ? [here] : [])]
    .map((step, number, all) => ({
      act: step.act.do,
      index: step.index,
      at: step.doneAt,
      number,
      interviewSeconds: step.at,
      since: all[number - 1]?.doneAt ?? session.startedAt ?? step.doneAt,
    }))
    .filter((shot) => (which === 'now' ? shot.index === index : shot.act === 'keep' && shot.index > delivered))
}

const clock = (seconds: number): string =>
  [Math.floor(seconds / 60), seconds % 60].map((part) => String(part).padStart(2, '0')).join(':')

const still = (bytes: Buffer, { at }: Shot, metadata: Record<string, unknown>): Made => ({
  contentType: 'image/webp',
  bytes,
  capturedAt: at,
  durationMs: null,
  metadata,
})

const makers: Partial<Record<EvidenceType, (shot: Shot, moment: Moment) => Promise<Made | undefined>>> = {
  screenshot: async (shot) => {
    const metadata = { displayId, trigger: 'interval', ...screenSize }
    return still(await screenPicture(clock(shot.interviewSeconds), shot.interviewSeconds), shot, metadata)
  },
  camera_frame: async (shot, moment) => {
    const metadata = { trigger: 'interval', ...cameraSize }
    return still(
      await cameraPicture(clock(shot.interviewSeconds), shot.number, speakingAt(shot.interviewSeconds, moment)),
      shot,
      metadata,
    )
  },
  audio_chunk: async (shot, moment) => soundOf(moment, { shot, lane: 'microphone' }),
  system_audio_chunk: async (shot, moment) => soundOf(moment, { shot, lane: 'system_audio' }),
}

const prepareShot = async (moment: Moment, shot: Shot, into: PreparedItem[]): Promise<void> => {
  const { call, session } = moment
  const away = awayLanes(moment)
  for (const [name, make] of Object.entries(makers)) {
    const evidenceType = name as EvidenceType
    if (!typeOn(session, evidenceType) || away.has(evidenceTypes[evidenceType].lane)) continue
    const made = await make(shot, moment)
    if (!made) continue
    const { bytes, ...told } = made
    const clientId = clientIdOf({ run: moment.run, index: shot.index }, evidenceType)
    const item = { ...told, evidenceType, clientId, sizeBytes: bytes.length, sha256: sha256(bytes) }
    into.push(await prepareItem(call, { sessionId: session.id, said: item, bytes }))
  }
}

/** Pictures and sound of now, or those of every instant that was kept. */
export const prepareCaptures = async (moment: Moment, which: 'now' | 'kept'): Promise<Work> => {
  const { call } = moment
  const ready: PreparedItem[] = []
  const discard = async () => {
    for (const capture of ready) await discardItem(call, capture)
  }
  try {
    for (const shot of shotsOf(moment, which)) await prepareShot(moment, shot, ready)
  } catch (error) {
    await discard()
    throw error
  }
  const write: Work['write'] = async (tx) => {
    for (const capture of ready) await recordPrepared(inTx(call, tx), capture)
  }
  return { write, discard }
}
