import { momentRules } from '@integrity/protocol'
import type { PdfBlock } from '../../../platform/pdf/pdf.types.ts'
import { count, laneName, type Paper, person, quiet, section, table, timeColumns } from './report.blocks.view.ts'
import type { ReportDocument } from './report.document.model.ts'
import type { PaperMoment } from './report.paper.model.ts'
import { length, utc } from './report.times.view.ts'

const titleOf = ({ rule, at, untilAt, reason }: PaperMoment): string =>
  rule === 'lane_gap' && untilAt !== null
    ? `Nothing recorded for ${length(untilAt - at)}${reason === null ? '' : ` (${reason.replaceAll('_', ' ')})`}`
    : momentRules[rule].title

const rateOf = ({ baseRate }: PaperMoment): string =>
  baseRate === null ? '' : `in ${count(baseRate.seenIn)} of ${count(baseRate.sessions)} interviews`

/** Once for each incident. */
export const momentBlocks = ({ beside: { moments }, clock, report: { session } }: Paper): PdfBlock[] => {
  const columns = timeColumns(clock)
  const rated = moments.some(({ baseRate }) => baseRate !== null)
  const rows = moments.map((moment) => [
    titleOf(moment),
    moment.lanes.map(laneName).join(', '),
    ...columns.cells(moment.at, moment.untilAt),
    ...(rated ? [rateOf(moment)] : []),
  ])
  const none =
    session.erasedAt === null ? 'The rules found none.' : 'What was captured is erased; no rule can be applied.'
  return section('Moments', none, [
    ...(rows.length > 0
      ? [quiet('Found by published rules from facts alone. Each has harmless reasons; a person decides what it was.')]
      : []),
    ...(rated
      ? [
          quiet(
            'How often: in so many interviews of the same policy the same rule found something. It says nothing of a person.',
          ),
        ]
      : []),
    ...table(
      ['What', 'Lanes', ...columns.head, ...(rated ? ['How often'] : [])],
      [5, 4, ...columns.shares, ...(rated ? [3] : [])],
      rows,
    ),
  ])
}

type PaperMoments = Paper['beside']['moments']

/** What rules call the moments of an instant, in brackets; nothing where none is found any more. */
const titlesOf = (moments: PaperMoments) => {
  const byTime = Map.groupBy(moments, ({ at }) => at)
  return (at: string): string => {
    const found = byTime.get(Date.parse(at)) ?? []
    return found.length === 0 ? '' : ` (${[...new Set(found.map(titleOf))].join('; ')})`
  }
}

/** What the candidate wrote about the interview and its moments. */
export const statementBlocks = ({ report: { statements }, beside: { moments } }: Paper): PdfBlock[] => {
  const titleAt = titlesOf(moments)
  return section(
    'What the candidate wrote',
    'Nothing was written.',
    (statements ?? []).flatMap(({ at, text, readAt, moment }): PdfBlock[] => [
      quiet(
        `${utc(at)}${moment ? `, about the moment at ${utc(moment.at)}${titleAt(moment.at)}` : ''}; ` +
          `${readAt === null ? 'not marked as read' : `marked as read at ${utc(readAt)}`}`,
      ),
      { kind: 'paragraph', text: text ?? 'The words were erased.' },
    ]),
  )
}

const anchorWords = (anchor: ReportDocument['notes'][number]['anchor']): string => {
  if (anchor === null) return ''
  if ('atMs' in anchor) return `, at ${length(anchor.atMs)} of the session`
  return `, at ${Object.values(anchor).join(', ')}`
}

export const noteBlocks = ({ report: { notes } }: Paper): PdfBlock[] =>
  section(
    'Notes',
    'No notes.',
    notes.flatMap(({ author, createdAt, anchor, text }): PdfBlock[] => [
      quiet(`${person(author)}, ${utc(createdAt)}${anchorWords(anchor)}`),
      { kind: 'paragraph', text },
    ]),
  )

const meanings: Readonly<Record<string, string>> = { benign: 'harmless', needs_context: 'needs context' }

export const annotationBlocks = ({ report: { annotations }, beside: { moments } }: Paper): PdfBlock[] => {
  const titleAt = titlesOf(moments)
  return section(
    'Explanations of moments',
    'No explanations.',
    annotations.flatMap(({ author, createdAt, at, meaning, text }): PdfBlock[] => [
      quiet(
        `${at === null ? 'A moment that was erased' : `${utc(at)}${titleAt(at)}`}: ${meanings[meaning] ?? meaning}. ${person(author)}, ${utc(createdAt)}`,
      ),
      { kind: 'paragraph', text },
    ]),
  )
}
