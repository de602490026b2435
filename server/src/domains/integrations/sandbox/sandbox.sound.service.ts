import type { LaneName } from '@integrity/protocol'
import { spanMs } from './sandbox.dates.model.ts'
import { doneBefore, type Moment } from './sandbox.moment.service.ts'
import { speakerOf, spokenSeconds } from './sandbox.script.model.ts'
import type { Act } from './sandbox.steps.model.ts'
import type { MadeSound, Shot } from './sandbox.types.ts'
import { speech } from './sandbox.voices.model.ts'

/** Milliseconds. */
const longestMs = 30_000
const shortestMs = 20

/** Who is heard where: the candidate by the microphone, the interviewer by what the computer plays. */
const heardIn = { microphone: 'candidate', system_audio: 'interviewer' } as const
export type SoundLane = keyof typeof heardIn

interface Said {
  readonly sentence: number
  /** Interview seconds. */
  readonly from: number
  readonly until: number
}

const saidIn = ({ run }: Moment): Said[] =>
  run.steps.flatMap(({ at, act }: { readonly at: number; readonly act: Act }) =>
    act.do === 'speak' && act.sentence !== null
      ? [{ sentence: act.sentence, from: at - spokenSeconds(act.sentence), until: at }]
      : [],
  )

/** Whether the candidate speaks at this second of the interview. */
export const speakingAt = (seconds: number, moment: Moment): boolean =>
  saidIn(moment).some(
    ({ sentence, from, until }) => speakerOf(sentence) === 'candidate' && from < seconds && seconds <= until,
  )

/** Since when this lane has sound that was not delivered. */
const sinceOf = (moment: Moment, { since, index }: Pick<Shot, 'since' | 'index'>, lane: LaneName): number => {
  const earlier = doneBefore(moment, 'lane', 'upload').filter(
    ({ act, index: of }) => of < index && (act.do === 'upload' ? lane === 'system_audio' : act.lane === lane),
  )
  return Math.max(since, ...earlier.map(({ doneAt }) => doneAt))
}

/** What one lane hears up to an instant, in Opus as agents send it: as long as there was time for since the last, so that nothing is heard twice. */
export const soundOf = async (
  moment: Moment,
  {
    shot,
    lane,
  }: { readonly shot: Pick<Shot, 'at' | 'since' | 'index' | 'interviewSeconds' | 'number'>; readonly lane: SoundLane },
): Promise<MadeSound | undefined> => {
  const { run } = moment
  const durationMs = Math.min(longestMs, shot.at - sinceOf(moment, shot, lane))
  if (durationMs < shortestMs) return undefined
  const toMs = spanMs(run, shot.interviewSeconds)
  const voices = saidIn(moment)
    .filter(({ sentence }) => speakerOf(sentence) === heardIn[lane])
    .map(({ sentence, from, until }) => ({
      sentence,
      fromMs: spanMs(run, from) - (toMs - durationMs),
      untilMs: spanMs(run, until) - (toMs - durationMs),
    }))
    .filter(({ fromMs, untilMs }) => untilMs > 0 && fromMs < durationMs)
  return {
    contentType: 'audio/webm',
    bytes: await speech(voices, { durationMs, voice: heardIn[lane], name: `${run.id} ${shot.index} ${lane}` }),
    capturedAt: shot.at - durationMs,
    durationMs,
    metadata: { sequence: shot.number, codec: 'opus', durationMs },
  }
}
