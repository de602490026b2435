import { inTx } from '../../kernel/call.ts'
import type { Tx } from '../../platform/db/types.ts'
import { upsertSegments } from '../transcripts/transcripts.service.ts'
import { type DoneStep, doneBefore, laneOn, type Moment } from './sandbox.moment.service.ts'

/** Said in turns, the interviewer first. */
const sentences = [
  'This is a simulated interview; nobody is speaking.',
  'Good. Then these are simulated answers.',
  'Which part of your last project did you like best?',
  'The import of large files, because it had to go on after a restart.',
  'How did you find out where it was slow?',
  'I measured it first, then I changed one thing at a time.',
  'What would you do in another way today?',
  'I would write the tests before the second version.',
  'Thank you. Do you have questions for us?',
  'No, thank you. That was the whole simulation.',
] as const

type Spoken = Pick<DoneStep, 'act' | 'doneAt'>

/** The segment of a step, from the step before to its own instant, in milliseconds of the session. */
const segmentOf = ({ session, run }: Moment, { act, doneAt }: Spoken, from: number, final: boolean) => {
  const number = act.do === 'speak' ? (act.sentence ?? 0) : 0
  const text = sentences[number % sentences.length] ?? sentences[0]
  const startedAt = session.startedAt ?? doneAt
  return {
    segmentId: `${run.id}.${number}`,
    sequence: number,
    speaker: number % 2 === 0 ? ('interviewer' as const) : ('candidate' as const),
    startMs: Math.max(0, from - startedAt),
    endMs: Math.max(0, doneAt - startedAt),
    text: final ? text : text.toLowerCase().replace(/[.,;?]/g, ''),
    language: 'en',
    final,
    ...(final ? { confidence: 0.9 } : {}),
  }
}

/** A provisional segment for the sentence spoken now, and the one before it made final. */
export const speak = async (moment: Moment, tx: Tx, sentence: number | null): Promise<void> => {
  const { call, session, run, index, now } = moment
  if (!laneOn(session, 'transcript')) return
  const said = doneBefore(moment, 'speak')
  const last = said.at(-1)
  const start = session.startedAt ?? now
  const act = run.steps[index]?.act ?? { do: 'rest' }
  const segments = [
    ...(last ? [segmentOf(moment, last, said.at(-2)?.doneAt ?? start, true)] : []),
    ...(sentence === null ? [] : [segmentOf(moment, { act, doneAt: now }, last?.doneAt ?? start, false)]),
  ]
  if (segments.length > 0) await upsertSegments(inTx(call, tx), session.id, segments)
}
