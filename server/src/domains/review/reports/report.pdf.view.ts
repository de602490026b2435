import { evidenceTypes } from '@integrity/protocol'
import type { Letterhead, PdfBlock, PdfDocument } from '../../../platform/pdf/pdf.types.ts'
import { isolated } from '../../../platform/pdf/pdf-bidi.ts'
import { aidBlocks } from './report.aids.view.ts'
import { count, type Paper, person, quiet, section, table } from './report.blocks.view.ts'
import { captureBlocks } from './report.capture.view.ts'
import { consentBlocks } from './report.consent.view.ts'
import type { ReportDocument } from './report.document.model.ts'
import { gapBlocks, laneBlocks } from './report.lanes.view.ts'
import { type BesideReport, nothingBeside } from './report.paper.model.ts'
import { annotationBlocks, momentBlocks, noteBlocks, statementBlocks } from './report.said.view.ts'
import { capabilityBlocks, signalBlocks } from './report.signals.view.ts'
import { clockOf, inWords, length, utc } from './report.times.view.ts'

const standing = ({ signOff, asOf }: ReportDocument): string =>
  signOff === null
    ? `Not signed off: the state of the session at ${utc(asOf)}`
    : `Revision ${signOff.revision}, signed off by ${person(signOff.signedOffBy)} at ${utc(signOff.signedOffAt)}`

/** In UTC, and in the appointment's zone. */
const moment = (instant: string | null, zone: string | null): string =>
  instant === null || zone === null ? utc(instant) : `${utc(instant)}; ${inWords(Date.parse(instant), zone)}`

const head = ({ report, beside: { candidateLabel, schedule }, clock: { zone } }: Paper): PdfBlock[] => {
  const { session, signOff } = report
  const facts: [string, string | null | undefined][] = [
    ['Candidate', candidateLabel && isolated(candidateLabel)],
    ['Appointment', schedule && `${moment(schedule.startsAt, zone)}, ${schedule.durationMinutes} min`],
    ['Session', session.id],
    ['External id', session.externalId && isolated(session.externalId)],
    ['Report', standing(report)],
    ['Supersedes', signOff?.supersedes ? `revision ${signOff.supersedes}` : null],
    ['Statement', signOff?.statement],
    ['Environment', session.environment === 'sandbox' ? 'sandbox' : null],
    ['Started', moment(session.startedAt, zone)],
    ['Ended', moment(session.endedAt, zone)],
    ['Duration', length(session.durationMs)],
    ['Evidence', `${count(report.inventory.reduce((sum, row) => sum + row.objects, 0))} objects`],
    ['Events', count(report.signals.total)],
    ['Erased', session.erasedAt && utc(session.erasedAt)],
  ]
  return [
    { kind: 'heading', level: 1, text: 'Report of a session' },
    {
      kind: 'paragraph',
      text: 'What was recorded, what was not, and what people said of it. Observations only: this report draws no conclusion about anybody.',
    },
    ...table(
      ['What', 'Value'],
      [1, 5],
      facts.filter((row): row is [string, string] => Boolean(row[1])),
    ),
    quiet(
      'The hash at the foot of each page is of the report as JSON. The candidate, the appointment, the moments, how often they occur, the aids, the times of events and the texts of the consent are not in that JSON: the service reads them when it makes this file, and an erasure takes them.',
    ),
  ]
}

const inventoryBlocks = ({ report: { inventory } }: Paper): PdfBlock[] =>
  section(
    'Evidence',
    'Nothing was stored.',
    table(
      ['Type', 'Objects', 'Of these erased', 'Bytes kept'],
      [4, 2, 2, 3],
      inventory.map(({ evidenceType, objects, erasedObjects, sizeBytes }) => [
        evidenceTypes[evidenceType].title,
        ...[objects, erasedObjects, sizeBytes].map(count),
      ]),
    ),
  )

const signedBlocks = ({ report: { capture } }: Paper): PdfBlock[] => (capture ? captureBlocks(capture) : [])

const chapters = [
  ...[head, laneBlocks, gapBlocks, aidBlocks, momentBlocks, statementBlocks, noteBlocks, annotationBlocks],
  ...[consentBlocks, signalBlocks, capabilityBlocks, inventoryBlocks, signedBlocks],
]

interface PaperOptions {
  readonly sha256: string
  readonly beside?: BesideReport
  readonly letterhead?: Letterhead
}

/**
 * A report on paper: the signed document and its hash, and beside them what an erasure takes. How it looks is the
 * organisation's matter.
 */
export const reportPdf = (
  report: ReportDocument,
  { sha256, beside = nothingBeside, letterhead }: PaperOptions,
): PdfDocument => {
  const { signOff, session, asOf } = report
  const which = signOff === null ? `not signed off, as of ${utc(asOf)}` : `revision ${signOff.revision}`
  const from = Date.parse(session.startedAt ?? session.createdAt)
  const clock = clockOf(from, from + session.durationMs, beside.schedule?.timeZone ?? null)
  const paper: Paper = { report, beside, clock }
  return {
    title: `Report of session ${session.externalId ?? session.id}, ${which}`,
    language: 'en',
    createdAt: Date.parse(signOff?.signedOffAt ?? asOf),
    foot: [`Session ${session.id}  ·  ${which}`, `SHA-256 ${sha256}`],
    elsewhere: 'The report as JSON and the export of the session have them in full.',
    ...(letterhead && { letterhead }),
    blocks: chapters.flatMap((chapter) => chapter(paper)),
  }
}
