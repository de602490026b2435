import { inTx } from '../../../kernel/call.ts'
import type { Tx } from '../../../platform/db/types.ts'
import { upsertSegments } from '../../review/transcripts/transcripts.service.ts'
import { spanMs } from './sandbox.dates.model.ts'
import { type DoneStep, doneBefore, laneOn, type Moment } from './sandbox.moment.service.ts'
import { sentences, speakerOf, spokenSeconds } from './sandbox.script.model.ts'

type Spoken = DoneStep<'speak'>

/** The segment of a step, which ends at its instant, in milliseconds of the session. */
const segmentOf = ({ session, run }: Moment, { act, doneAt }: Spoken, final: boolean) => {
  const number = act.sentence ?? 0
  const text = sentences[number] ?? ''
  const endMs = Math.max(0, doneAt - (session.startedAt ?? doneAt))
  return {
    segmentId: `${run.id}.${number}`,
    sequence: number,
    speaker: speakerOf(number),
    startMs: Math.max(0, endMs - spanMs(run, spokenSeconds(number))),
    endMs,
    text: final ? text : text.toLowerCase().replace(/[.,;:?]/g, ''),
    language: 'en',
    final,
    ...(final ? { confidence: 0.9 } : {}),
  }
}

/** A provisional segment for the sentence spoken now, and the one before it made final. */
export const speak = async (
  moment: Moment,
  { tx, sentence }: { readonly tx: Tx; readonly sentence: number | null },
): Promise<void> => {
  const { call, session, run, index, now } = moment
  if (!laneOn(session, 'transcript')) return
  const last = doneBefore(moment, 'speak').at(-1)
  const step = run.steps[index]
  const segments = [
    ...(last ? [segmentOf(moment, last, true)] : []),
    ...(step && sentence !== null
      ? [segmentOf(moment, { ...step, act: { do: 'speak', sentence }, doneAt: now, index }, false)]
      : []),
  ]
  if (segments.length > 0) await upsertSegments(inTx(call, tx), { sessionId: session.id, segments })
}
