import type { WindowState } from '../../../shared/ipc/window-state.ts'

export type ConsentView = NonNullable<WindowState['consent']>
export type Change = NonNullable<ConsentView['changes']>[number]
export type DocumentLane = ConsentView['document']['lanes'][number]
export type LaneName = DocumentLane['lane']
/** What was chosen so far for the lanes that may be declined. */
export type Answers = Readonly<Partial<Record<LaneName, boolean>>>

/** What still counts after the document changed: the answers to lanes that say what they said, for as long. */
export const stillGood = (answers: Answers, { document, changes = [] }: ConsentView): Answers => {
  if (changes.some(({ what }) => what === 'retention')) return {}
  const changed = new Set(changes.map(({ lane }) => lane))
  const kept = document.lanes.filter(({ lane, required }) => !required && !changed.has(lane))
  return Object.fromEntries(
    kept.flatMap(({ lane }) => {
      const answer = answers[lane]
      return answer === undefined ? [] : [[lane, answer]]
    }),
  )
}

/** The lanes that may be declined and have no answer yet, in the order of the document. */
export const unanswered = (lanes: readonly DocumentLane[], answers: Answers): readonly DocumentLane[] =>
  lanes.filter(({ lane, required }) => !required && answers[lane] === undefined)

/** An answer for each lane of the document; agreeing at all agrees to what is needed. */
export const answersOf = (lanes: readonly DocumentLane[], answers: Answers): Answers =>
  Object.fromEntries(lanes.map(({ lane, required }) => [lane, required || answers[lane] === true]))
