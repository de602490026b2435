import type { PdfBlock } from '../../../platform/pdf/pdf.types.ts'
import { laneName, type Paper, quiet, section, table } from './report.blocks.view.ts'
import type { AnsweredConsent } from './report.paper.model.ts'
import { inWords, utc } from './report.times.view.ts'

const languages = new Intl.DisplayNames('en', { type: 'language' })
const devices: Readonly<Record<string, string>> = {
  agent: 'the application on the computer',
  companion: 'the phone',
  room: 'the page in the room',
}

const shownText = ({ kind, version, locale, documentHash, recordedAt, lanes }: AnsweredConsent): string =>
  `Text of ${version} in ${languages.of(locale) ?? locale}, answered on ${devices[kind] ?? kind} at ${utc(new Date(recordedAt).toISOString())}, about ${lanes.map((lane) => laneName(lane).toLowerCase()).join(', ')}. SHA-256 ${documentHash}`

/** What the candidate agreed to, declined and withdrew, when, and which text they read. */
export const consentBlocks = ({
  report: { consent },
  beside: { consents, schedule },
  clock: { zone },
}: Paper): PdfBlock[] => {
  const when = (instant: string) =>
    zone === null || schedule === null
      ? utc(instant)
      : `${utc(instant)}\n${inWords(Date.parse(instant), schedule.timeZone)}`
  const rows = Object.entries(consent?.lanes ?? {}).map(([lane, { granted, at, withdrawnAt }]) => [
    laneName(lane),
    granted ? 'agreed' : 'declined',
    when(at),
    withdrawnAt ? when(withdrawnAt) : '',
  ])
  const shown = consents.map(shownText)
  const signed = consent?.documentHash ? [`The text that was answered has SHA-256 ${consent.documentHash}`] : []
  return section('Consent', 'No answer was recorded.', [
    ...table(['Lane', 'Answer', 'When', 'Withdrawn'], [3, 2, 4, 4], rows),
    ...(shown.length > 0 ? shown : signed).map(quiet),
  ])
}
