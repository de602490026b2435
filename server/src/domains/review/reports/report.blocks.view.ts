import type { PdfBlock } from '../../../platform/pdf/pdf.types.ts'
import { isolated } from '../../../platform/pdf/pdf-bidi.ts'
import type { ReportDocument } from './report.document.model.ts'
import type { BesideReport } from './report.paper.model.ts'
import type { SessionClock } from './report.times.view.ts'

/** What a chapter of a report on paper is made from. */
export interface Paper {
  readonly report: ReportDocument
  readonly beside: BesideReport
  readonly clock: SessionClock
}

export const count = (n: number): string => n.toLocaleString('en')

/** As people of the organisation say it; the candidate reads of "your" screen. */
export const laneName = (lane: string): string => {
  const words = lane.replaceAll('_', ' ')
  return words.slice(0, 1).toUpperCase() + words.slice(1)
}

/** A person's name with their role, whichever way the name is written. */
export const person = ({ name, role }: { readonly name: string; readonly role: string }): string =>
  `${isolated(name)} (${isolated(role)})`

export const quiet = (text: string): PdfBlock => ({ kind: 'paragraph', quiet: true, text })

export const section = (title: string, none: string, blocks: readonly PdfBlock[]): PdfBlock[] => [
  { kind: 'heading', level: 2, text: title },
  ...(blocks.length > 0 ? blocks : [{ kind: 'paragraph', text: none } satisfies PdfBlock]),
]

export const table = (head: readonly string[], shares: readonly number[], rows: readonly string[][]): PdfBlock[] =>
  rows.length === 0 ? [] : [{ kind: 'table', head, shares, rows }]

/** Columns for a stretch of time: in UTC, and in the appointment's zone where there is one. */
export const timeColumns = ({ zone, utc, local }: SessionClock) => ({
  head: ['From (UTC)', 'To (UTC)', ...(zone === null ? [] : [zone])],
  shares: zone === null ? [2.3, 2.3] : [2.3, 2.3, 3.6],
  cells: (from: number, to: number | null): string[] => [
    utc(from),
    to === null ? '' : utc(to),
    ...(zone === null ? [] : [to === null ? local(from) : `${local(from)} – ${local(to)}`]),
  ],
})
