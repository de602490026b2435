import { evidenceTypes, gapReasons, type LaneName } from '@integrity/protocol'
import { windowConsentTexts } from '@integrity/protocol/texts/areas/window-consent'
import type { Letterhead, PdfBlock, PdfDocument } from '../../platform/pdf/pdf.types.ts'
import { captureBlocks } from './report.capture.view.ts'
import type { ReportDocument } from './report.document.model.ts'

type Lane = ReportDocument['lanes'][number]

const utc = (instant: string | null): string =>
  instant === null ? '–' : `${instant.slice(0, 19).replace('T', ' ')} UTC`
const clock = (instant: string): string => instant.slice(11, 19)
const count = (n: number): string => n.toLocaleString('en')
const seconds = (n: number): string => `${n.toLocaleString('en', { maximumFractionDigits: 1 })} s`

/** As people of the organisation say it; the candidate reads of "your" screen. */
const nameOf = (lane: LaneName): string => {
  const words = lane.replaceAll('_', ' ')
  return words.slice(0, 1).toUpperCase() + words.slice(1)
}

const length = (ms: number): string => {
  const all = Math.round(ms / 1000)
  const [hours, minutes] = [Math.floor(all / 3600), Math.floor((all % 3600) / 60)]
  return [...(hours > 0 ? [`${hours} h`] : []), `${minutes} min`, `${all % 60} s`].join(' ')
}

const standing = ({ signOff, asOf }: ReportDocument): string =>
  signOff === null
    ? `Not signed off: the state of the session at ${utc(asOf)}`
    : `Revision ${signOff.revision}, signed off by ${signOff.signedOffBy.name} (${signOff.signedOffBy.role}) at ${utc(signOff.signedOffAt)}`

const head = (report: ReportDocument): PdfBlock[] => {
  const { session, signOff } = report
  const facts: [string, string | null | undefined][] = [
    ['Session', session.id],
    ['External id', session.externalId],
    ['Report', standing(report)],
    ['Supersedes', signOff?.supersedes ? `revision ${signOff.supersedes}` : null],
    ['Statement', signOff?.statement],
    ['Environment', session.environment === 'sandbox' ? 'sandbox' : null],
    ['Started', utc(session.startedAt)],
    ['Ended', utc(session.endedAt)],
    ['Duration', length(session.durationMs)],
    ['Evidence', `${count(report.inventory.reduce((sum, row) => sum + row.objects, 0))} objects`],
    ['Signals', count(report.signals.total)],
    ['Erased', session.erasedAt && utc(session.erasedAt)],
  ]
  return [
    { kind: 'heading', level: 1, text: 'Report of a session' },
    {
      kind: 'paragraph',
      text: 'What was recorded, what was not, and what people said of it. Observations only: this report draws no conclusion about anybody.',
    },
    {
      kind: 'table',
      head: ['What', 'Value'],
      shares: [1, 5],
      rows: facts.filter((row): row is [string, string] => Boolean(row[1])),
    },
  ]
}

const laneWords = ({ lane, enabled, declined, expected, observed, gaps }: Lane): string => {
  const title = nameOf(lane)
  if (!enabled) return `${title}: not asked for`
  const words = `${seconds(observed)} observed of ${seconds(expected)} expected, ${gaps.length} ${gaps.length === 1 ? 'gap' : 'gaps'}`
  return declined ? `${title}: declined by the candidate; ${words} before that` : `${title}: ${words}`
}

const strip = (lane: Lane, { startedAt, durationMs }: ReportDocument['session']): PdfBlock => {
  const words = laneWords(lane)
  const place = (instant: string) =>
    Math.min(1, Math.max(0, (Date.parse(instant) - Date.parse(startedAt ?? instant)) / Math.max(1, durationMs)))
  const framed = lane.gaps
    .filter(({ display }) => display === null)
    .map(({ fromAt, toAt }) => ({ from: place(fromAt), to: place(toAt) }))
  return { kind: 'strip', label: words, alt: `${words}. Filled: observed. Framed: a gap.`, parts: lane.strip, framed }
}

const lanes = ({ lanes: all, session }: ReportDocument): PdfBlock[] => [
  { kind: 'heading', level: 2, text: 'Lanes' },
  {
    kind: 'paragraph',
    quiet: true,
    text: 'Each strip is the whole session from left to right. Filled: samples were seen. Framed: a gap, whose reason stands below.',
  },
  ...all.map((lane) =>
    lane.enabled && lane.strip.length > 0
      ? strip(lane, session)
      : ({ kind: 'paragraph', quiet: true, text: laneWords(lane) } satisfies PdfBlock),
  ),
]

const section = (title: string, none: string, blocks: readonly PdfBlock[]): PdfBlock[] => [
  { kind: 'heading', level: 2, text: title },
  ...(blocks.length > 0 ? blocks : [{ kind: 'paragraph', text: none } satisfies PdfBlock]),
]

const table = (names: readonly string[], shares: readonly number[], rows: readonly string[][]): PdfBlock[] =>
  rows.length === 0 ? [] : [{ kind: 'table', head: names, shares, rows }]

const gaps = ({ lanes: all }: ReportDocument): PdfBlock[] =>
  section(
    'Gaps',
    'No gap was reported.',
    table(
      ['Lane', 'From (UTC)', 'To (UTC)', 'Length', 'Reason'],
      [3, 2, 2, 2, 6],
      all.flatMap(({ lane, gaps: own }) =>
        own.map(({ display, fromAt, toAt, reason, seconds: long }) => [
          display === null ? nameOf(lane) : `${nameOf(lane)}, display ${display}`,
          clock(fromAt),
          clock(toAt),
          seconds(long),
          gapReasons[reason],
        ]),
      ),
    ),
  )

const inventory = (report: ReportDocument): PdfBlock[] =>
  section(
    'Evidence',
    'Nothing was stored.',
    table(
      ['Type', 'Objects', 'Of these erased', 'Bytes kept'],
      [4, 2, 2, 3],
      report.inventory.map(({ evidenceType, objects, erasedObjects, sizeBytes }) => [
        evidenceTypes[evidenceType].title,
        ...[objects, erasedObjects, sizeBytes].map(count),
      ]),
    ),
  )

const signed = ({ capture }: ReportDocument): PdfBlock[] => (capture ? captureBlocks(capture) : [])

const signals = (report: ReportDocument): PdfBlock[] =>
  section(
    'Signals',
    'None was reported.',
    table(
      ['Kind', 'How often'],
      [4, 1],
      Object.entries(report.signals.byKind).map(([kind, n]) => [kind, count(n)]),
    ),
  )

const capabilityWords = {
  observable: 'could be observed',
  not_observable: 'could not be observed on this computer',
  not_told: 'the agent did not say',
} as const

const capabilities = (report: ReportDocument): PdfBlock[] => [
  { kind: 'heading', level: 2, text: 'What this computer could observe' },
  {
    kind: 'paragraph',
    quiet: true,
    text: 'Where something could not be observed, the absence of signals says nothing.',
  },
  ...table(
    ['What', 'State'],
    [2, 3],
    report.capabilities.map(({ observer, status }) => [
      windowConsentTexts.en[`observer.${observer}`],
      capabilityWords[status],
    ]),
  ),
]

const anchorWords = (anchor: ReportDocument['notes'][number]['anchor']): string => {
  if (anchor === null) return ''
  if ('atMs' in anchor) return `, at ${length(anchor.atMs)} of the session`
  return `, at ${Object.values(anchor).join(', ')}`
}

const notes = (report: ReportDocument): PdfBlock[] =>
  section(
    'Notes',
    'Nobody wrote one.',
    report.notes.flatMap(({ author, createdAt, anchor, text }): PdfBlock[] => [
      {
        kind: 'paragraph',
        quiet: true,
        text: `${author.name} (${author.role}), ${utc(createdAt)}${anchorWords(anchor)}`,
      },
      { kind: 'paragraph', text },
    ]),
  )

const meanings: Readonly<Record<string, string>> = { benign: 'harmless', needs_context: 'needs context' }

const annotations = (report: ReportDocument): PdfBlock[] =>
  section(
    'Moments that were explained',
    'Nobody explained one.',
    report.annotations.flatMap(({ author, createdAt, at, meaning, text }): PdfBlock[] => [
      {
        kind: 'paragraph',
        quiet: true,
        text: `${at === null ? 'A moment that was erased' : utc(at)}: ${meanings[meaning] ?? meaning}. ${author.name} (${author.role}), ${utc(createdAt)}`,
      },
      { kind: 'paragraph', text },
    ]),
  )

/**
 * A report on paper. What it says follows from the document and its hash alone, so that a revision is the same whenever
 * it is made; how it looks is the organisation's matter.
 */
export const reportPdf = (report: ReportDocument, sha256: string, letterhead?: Letterhead): PdfDocument => {
  const { signOff, session, asOf } = report
  const which = signOff === null ? `not signed off, as of ${utc(asOf)}` : `revision ${signOff.revision}`
  return {
    title: `Report of session ${session.externalId ?? session.id}, ${which}`,
    language: 'en',
    createdAt: Date.parse(signOff?.signedOffAt ?? asOf),
    foot: [`Session ${session.id}  ·  ${which}`, `SHA-256 ${sha256}`],
    ...(letterhead && { letterhead }),
    blocks: [head, lanes, gaps, inventory, signed, capabilities, notes, annotations, signals].flatMap((part) =>
      part(report),
    ),
  }
}
