import { unionOf } from '@integrity/protocol'
import type { PdfBlock } from '../../../platform/pdf/pdf.types.ts'
import { isolated } from '../../../platform/pdf/pdf-bidi.ts'
import { type Paper, quiet, section, table, timeColumns } from './report.blocks.view.ts'
import { length } from './report.times.view.ts'

type Aid = Paper['beside']['aids'][number]

const answers = {
  agreed: 'agreed',
  declared: 'declared, not answered',
  refused: 'declined by the organisation',
} as const

const aidWords = ({ text, breaks, detail }: Aid): string =>
  [
    text,
    ...(breaks ? [`Breaks: ${breaks.count}, of up to ${breaks.minutes} min each.`] : []),
    ...(detail === null ? [] : [`In the candidate’s words: ${isolated(detail)}`]),
  ].join('\n')

/** Each break that was agreed and taken, once for all lanes. */
const takenBlocks = ({ report: { lanes }, clock }: Paper): PdfBlock[] => {
  const columns = timeColumns(clock)
  const taken = unionOf(
    lanes
      .flatMap(({ account }) => account ?? [])
      .filter(({ state }) => state === 'agreed_break')
      .map(({ fromAt, toAt }) => ({ fromAt: Date.parse(fromAt), toAt: Date.parse(toAt) })),
  )
  const rows = taken.map(({ fromAt, toAt }) => ['Agreed break', ...columns.cells(fromAt, toAt), length(toAt - fromAt)])
  return table(['What', ...columns.head, 'Length'], [4, ...columns.shares, 2.5], rows)
}

/** What the candidate declared, what was answered, and the breaks that were taken. */
export const aidBlocks = (paper: Paper): PdfBlock[] => {
  const { aids } = paper.beside
  return section('Aids and breaks', 'The candidate declared no aid.', [
    ...(aids.length > 0
      ? [quiet('The candidate reads the same sentences. What an agreed aid switches off was not recorded.')]
      : []),
    ...table(
      ['Aid', 'Answer'],
      [7, 2],
      aids.map((aid) => [aidWords(aid), answers[aid.state]]),
    ),
    ...takenBlocks(paper),
  ])
}
