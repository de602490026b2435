import { laneAmount } from '@integrity/protocol/clients/lane-words'
import { fillPlain } from '@integrity/protocol/clients/language'
import { accessCopyTexts } from '@integrity/protocol/texts/areas/access-copy'
import { evidenceTexts } from '@integrity/protocol/texts/areas/evidence'
import { requestsTexts } from '@integrity/protocol/texts/areas/requests'
import { type LanguageCode, languages } from '@integrity/protocol/texts/languages'
import type { Needs, Reads } from '../../../kernel/call.ts'
import { mappedPages } from '../../../kernel/json-lists.ts'
import { iso } from '../../../kernel/time.ts'
import { htmlText } from '../../../platform/html-text.ts'
import { observationPages } from '../../interviews/integrity-events/integrity-events.states.service.ts'
import { consentsView } from '../../interviews/sessions/consent/consents.view.ts'
import type { SessionRow } from '../../interviews/sessions/sessions.types.ts'
import { getOrg } from '../../organisation/orgs/orgs.service.ts'
import { evidencePages } from '../../recording/evidence/evidence.service.ts'
import type { EvidenceRow } from '../../recording/evidence/evidence.types.ts'
import { segmentPages } from '../../review/transcripts/transcripts.service.ts'
import { readCoverage, readOpenings } from './openings.service.ts'
import { readConversations } from './submitting.service.ts'

/** Nothing is loaded from elsewhere and nothing runs, wherever the page is opened from. */
const policy =
  "default-src 'none'; img-src 'self' file:; media-src 'self' file:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
const style = `:root{color-scheme:light dark;font:16px/1.5 system-ui,"Noto Sans","Noto Sans Devanagari",sans-serif}
body{max-width:60rem;margin:0 auto;padding:1.5rem 1rem;overflow-wrap:anywhere}
h2{margin-top:2.5rem}figure{margin:0 0 1.5rem}img,video{max-width:100%;max-height:30rem;display:block}
audio{width:100%;max-width:40rem;display:block}table{border-collapse:collapse}
td,th{padding:.3rem 1rem .3rem 0;text-align:start;vertical-align:top;border-bottom:1px solid #8888}
blockquote{margin:0 0 1rem;padding-inline-start:1rem;border-inline-start:3px solid #8888;white-space:pre-wrap}
.soft{opacity:.75}`

/** Where the bytes of an object stand in the copy; undefined where they do not. */
export type FileOf = (row: EvidenceRow) => string | undefined

interface Page {
  readonly language: LanguageCode
  readonly fileOf: FileOf
}

type Words = (typeof requestsTexts)['en'] & (typeof accessCopyTexts)['en'] & (typeof evidenceTexts)['en']

/** How this page speaks, and how it writes an instant: in the zone of the appointment, which it names. */
const voiceOf = ({ schedule }: SessionRow, language: LanguageCode) => {
  const words = { ...requestsTexts[language], ...accessCopyTexts[language], ...evidenceTexts[language] } as Words
  const timeZone = schedule?.timeZone ?? 'UTC'
  const dates = languages.find(({ code }) => code === language)?.dates ?? languages[0].dates
  const format = new Intl.DateTimeFormat(dates, { dateStyle: 'long', timeStyle: 'medium', timeZone })
  const t = (name: keyof Words, values: Readonly<Record<string, string>> = {}): string =>
    htmlText(fillPlain(words[name], values))
  const clock = new Intl.DateTimeFormat(dates, { timeStyle: 'short', timeZone })
  const span = (from: string, to: string): string => clock.formatRange(new Date(from), new Date(to))
  return { t, timeZone, span, at: (when: number | string): string => htmlText(format.format(new Date(when))) }
}
type Voice = ReturnType<typeof voiceOf>

const row = (...cells: readonly string[]): string => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>\n`

const laneName = ({ t }: Voice, lane: string): string => {
  const name = `strip.${lane}` as keyof Words
  return Object.hasOwn(requestsTexts.en, name) ? t(name) : htmlText(lane)
}

const agreed = async (call: Reads, voice: Voice, sessionId: string): Promise<string> => {
  const { t, at } = voice
  const answers = await consentsView(call, sessionId)
  const lanes = (given: unknown) =>
    Object.entries(given as Readonly<Record<string, { readonly granted: boolean }>>).map(([lane, { granted }]) =>
      row(laneName(voice, lane), t(granted ? 'yes' : 'no')),
    )
  const each = answers.map(
    ({ acceptedAt, lanes: given }) => `<p>${at(acceptedAt)}</p>\n<table>${lanes(given).join('')}</table>\n`,
  )
  return `<h2>${t('agreedTitle')}</h2>\n${each.join('') || `<p>${t('agreedNone')}</p>\n`}`
}

const asked = async (call: Reads, { t, at }: Voice, sessionId: string, org: string): Promise<string> => {
  const said = (await readConversations(call, sessionId)).map(({ request, messages }) => {
    const each = messages.map(({ sender, at: when, text }) => {
      const who = t(sender === 'candidate' ? 'youWrote' : 'orgWrote', { org, at: '\u0000' })
      return `<p class="soft">${who.replace('\u0000', at(when))}</p>\n<blockquote>${htmlText(text)}</blockquote>\n`
    })
    const about =
      request.momentAt === null
        ? ''
        : `<p>${t('aboutMoment', { at: '\u0000' }).replace('\u0000', at(request.momentAt))}</p>\n`
    return `<h3>${t(`${request.kind}.title`)}</h3>\n<p>${at(request.createdAt)}</p>\n${about}${each.join('')}`
  })
  return `<h2>${t('requestsTitle')}</h2>\n${said.join('')}`
}

const figure = ({ t, at }: Voice, item: EvidenceRow, file: string | undefined): string => {
  const what = item.source === 'room_camera' ? item.source : item.evidenceType
  const about = `${t(`one.${what}`)}, ${at(item.capturedAt)}`
  if (item.erasedAt !== null) return `<p>${about}. ${t('wasErased')}</p>\n`
  if (file === undefined) return `<p>${about}. ${t('unreadable')}</p>\n`
  const medium = item.contentType.split('/')[0]
  const shown =
    medium === 'image'
      ? `<img src="${file}" alt="${about}" loading="lazy">`
      : `<${medium === 'audio' ? 'audio' : 'video'} src="${file}" controls preload="none" aria-label="${about}"></${medium === 'audio' ? 'audio' : 'video'}>`
  return `<figure>${shown}<figcaption>${about} <a href="${file}">${file.slice(file.indexOf('/') + 1)}</a></figcaption></figure>\n`
}

async function* listed<T>(
  title: string,
  none: string,
  pages: AsyncIterable<readonly T[]>,
  view: (item: T) => string,
): AsyncGenerator<string> {
  yield `<h2>${title}</h2>\n`
  let isEmpty = true
  for await (const page of mappedPages(pages, view)) {
    if (page.length > 0) isEmpty = false
    yield page.join('')
  }
  if (isEmpty) yield `<p>${none}</p>\n`
}

const coverage = async (call: Reads, voice: Voice, sessionId: string): Promise<string> => {
  const { t } = voice
  const minutes = (seconds: number) => (seconds / 60).toFixed(1)
  const rows = (await readCoverage(call, sessionId)).map(({ lane, declined, ...seconds }) => {
    const { name, values } = laneAmount(seconds, minutes)
    return row(laneName(voice, lane), declined ? t('stripDeclined') : t(name, values))
  })
  return `<h2>${t('stripTitle')}</h2>\n<table>${rows.join('')}</table>\n`
}

const opened = async (call: Reads, { t, at, span }: Voice, sessionId: string, org: string): Promise<string> => {
  const { opened: found, openedSince } = await readOpenings(call, sessionId)
  const rows = found.map(({ by, thing, times, firstAt, lastAt }) => {
    const what = t(`thing.${thing}`, { span: span(firstAt, lastAt) })
    return row(at(lastAt), t(`by.${by}`, { org }), what, thing === 'live' ? '' : `${times}×`)
  })
  const cut =
    openedSince === null ? '' : `<p>${t('openedSince', { at: '\u0000' }).replace('\u0000', at(openedSince))}</p>`
  const none = rows.length === 0 ? `<p>${t('openedNone')}</p>` : ''
  return `<h2>${t('openedTitle')}</h2>\n<p class="soft">${t('openedText', { org })}</p>\n<table>${rows.join('')}</table>\n${none}${cut}`
}

const head = (voice: Voice, session: SessionRow, { language }: Page, org: string, now: number): string => {
  const { t, at, timeZone } = voice
  const facts = [
    ...(session.startedAt === null ? [] : [row(t('began'), at(session.startedAt))]),
    ...(session.endedAt === null ? [] : [row(t('ended'), at(session.endedAt))]),
    row(t('number'), htmlText(session.id)),
    row(t('made'), at(now)),
  ]
  return `<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="${policy}"><title>${t('copyTitle')}</title><style>${style}</style></head>
<body><h1>${t('copyTitle')}</h1>
<p>${t('about', { org })}</p>
<table>${facts.join('')}</table>
<p class="soft">${t('zone', { zone: timeZone })}</p>
<p>${t('forPrograms')} <a href="copy.json">copy.json</a></p>
`
}

/** The page of a copy: everything in it, in plain words, to be opened without any network. Piece by piece. */
export async function* writeIndex(
  call: Reads & Needs<'clock'>,
  session: SessionRow,
  page: Page,
): AsyncGenerator<string> {
  const { id } = session
  const { name: org } = await getOrg(call, call.scope.orgId)
  const voice = voiceOf(session, page.language)
  const { t, at } = voice
  yield head(voice, session, page, org, call.clock.now())
  yield await agreed(call, voice, id)
  yield await asked(call, voice, id, org)
  yield await coverage(call, voice, id)
  yield* listed(t('recordingsTitle'), t('keptNothing'), evidencePages(call, id), (item) =>
    figure(voice, item, page.fileOf(item)),
  )
  yield* listed(
    t('saidTitle'),
    t('saidNone'),
    segmentPages(call, id),
    ({ speaker, text }) => `<p>${speaker ? `${htmlText(speaker)}: ` : ''}${htmlText(text)}</p>\n`,
  )
  const named = (kind: string): string => htmlText(kind.replaceAll(/[._]/g, ' '))
  yield* listed(
    t('atStartTitle'),
    t('notedNone'),
    observationPages(call, { sessionId: id, which: 'states' }),
    ({ observedAt, kind }) => `<p>${at(iso(observedAt))} ${named(kind)}</p>\n`,
  )
  yield* listed(
    t('notedTitle'),
    t('notedNone'),
    observationPages(call, { sessionId: id, which: 'events' }),
    ({ observedAt, kind }) => `<p>${at(iso(observedAt))} ${named(kind)}</p>\n`,
  )
  yield await opened(call, voice, id, org)
  yield '</body></html>\n'
}
