import { type AccountState, gapReasons } from '@integrity/protocol'
import type { PdfBlock, StripLook, StripStretch } from '../../../platform/pdf/pdf.types.ts'
import { incidentsOf } from './moments.gaps.model.ts'
import { laneName, type Paper, quiet, section, table, timeColumns } from './report.blocks.view.ts'
import type { ReportDocument } from './report.document.model.ts'
import { length } from './report.times.view.ts'

type Lane = ReportDocument['lanes'][number]

const looks: Readonly<Record<AccountState, StripLook>> = {
  observed: 'filled',
  gap: 'framed',
  paused: 'pale',
  agreed_break: 'pale',
  declined: 'hatched',
  not_wanted: 'line',
}
const legend: PdfBlock = {
  kind: 'legend',
  entries: [
    { look: 'filled', text: 'observed' },
    { look: 'framed', text: 'a gap; its reason stands below' },
    { look: 'pale', text: 'paused, or a break that was agreed' },
    { look: 'hatched', text: 'declined by the candidate' },
    { look: 'line', text: 'not wanted, or not used' },
  ],
}

/** Reports that were signed before there was an account have parts of the session, and gaps that win over them. */
const fromParts = ({ strip, gaps, declined }: Lane, place: (instant: string) => number): StripStretch[] => {
  if (declined && strip.every((percent) => percent === 0)) return [{ from: 0, to: 1, look: 'hatched' }]
  const framed = gaps
    .filter(({ display }) => display === null)
    .map(({ fromAt, toAt }) => ({ from: place(fromAt), to: place(toAt) }))
  const part = 1 / Math.max(1, strip.length)
  const isGap = (at: number) => framed.some(({ from, to }) => at >= from && at < to)
  const all: { from: number; to: number; look: StripLook }[] = []
  for (const [n, percent] of strip.entries()) {
    const look = percent < 50 || isGap((n + 0.5) * part) ? 'framed' : 'filled'
    const last = all.at(-1)
    if (last?.look === look) last.to = (n + 1) * part
    else all.push({ from: n * part, to: (n + 1) * part, look })
  }
  return all
}

const stretchesOf = (lane: Lane, { startedAt, durationMs }: ReportDocument['session']): StripStretch[] => {
  const place = (instant: string) =>
    Math.min(1, Math.max(0, (Date.parse(instant) - Date.parse(startedAt ?? instant)) / Math.max(1, durationMs)))
  if (lane.account === undefined) return fromParts(lane, place)
  return lane.account
    .map(({ fromAt, toAt, state }) => ({ from: place(fromAt), to: place(toAt), look: looks[state] }))
    .filter(({ from, to }) => to > from)
}

const counted = (n: number, one: string): string[] => (n === 0 ? [] : [`${n} ${one}${n === 1 ? '' : 's'}`])

const gapsInWords = ({ gaps }: Lane): string => {
  const own = gaps.filter(({ display }) => display === null)
  const pauses = own.filter(({ reason }) => reason === 'paused').length
  const words = [...counted(own.length - pauses, 'gap'), ...counted(pauses, 'pause')]
  return words.length === 0 ? 'No gap.' : `${words.join(', ')}.`
}

/** Four things are told apart: observed, a gap, declined, and what nobody wanted or used. */
const laneWords = (lane: Lane): string => {
  const { enabled, declined, expected, observed, sentence } = lane
  const title = laneName(lane.lane)
  if (!enabled && expected === 0) return `${title}. Not asked for.`
  if (declined && expected === 0) return `${title}. Declined by the candidate.`
  if (expected === 0) return `${title}. Never used; nothing was expected of it.`
  const told = sentence ?? `${length(observed * 1000)} observed of ${length(expected * 1000)}.`
  return `${title}. ${told} ${gapsInWords(lane)}${declined ? ' Declined by the candidate after that.' : ''}`
}

export const laneBlocks = ({ report: { lanes, session } }: Paper): PdfBlock[] => [
  { kind: 'heading', level: 2, text: 'Lanes' },
  quiet('Each strip is the whole session from left to right.'),
  legend,
  ...lanes.map((lane): PdfBlock => {
    const [label, stretches] = [laneWords(lane), stretchesOf(lane, session)]
    if (stretches.length === 0 || (!lane.enabled && lane.expected === 0)) return quiet(label)
    return { kind: 'strip', label, alt: `${label} What each look of the strip says stands above.`, stretches }
  }),
]

/** Lanes and displays of an incident, each once. */
const placesOf = (gaps: readonly { readonly lane: string; readonly displayId: string | null }[]): string => {
  const names = gaps.map(({ lane, displayId }) =>
    displayId === null ? laneName(lane) : `${laneName(lane)}, display ${displayId}`,
  )
  return [...new Set(names)].join('; ')
}

/** What was missing, once for each cause. */
export const gapBlocks = ({ report: { lanes }, clock }: Paper): PdfBlock[] => {
  const columns = timeColumns(clock)
  const gaps = lanes.flatMap(({ lane, gaps: own }) =>
    own.map(({ display, fromAt, toAt, reason }) => ({
      lane,
      reason,
      displayId: display === null ? null : String(display),
      fromAt: Date.parse(fromAt),
      toAt: Date.parse(toAt),
    })),
  )
  const incidents = [...Map.groupBy(gaps, ({ reason }) => reason).values()].flatMap(incidentsOf)
  const rows = incidents
    .toSorted((a, b) => a.fromAt - b.fromAt)
    .map(({ fromAt, toAt, gaps: all }) => [
      placesOf(all),
      ...columns.cells(fromAt, toAt),
      length(toAt - fromAt),
      gapReasons[all[0]?.reason ?? 'not_reported'],
    ])
  const head = ['Lanes', ...columns.head, 'Length', 'Reason']
  return section('Gaps', 'No gap.', table(head, [4, ...columns.shares, 2.5, 6], rows))
}
