import { integrityEventKinds, isIntegrityEventKind } from '@integrity/protocol'
import { windowConsentTexts } from '@integrity/protocol/texts/areas/window-consent'
import type { PdfBlock } from '../../../platform/pdf/pdf.types.ts'
import { count, type Paper, quiet, section, table } from './report.blocks.view.ts'

/** The registry's sentence, without what it says about what is noted. A kind that is not in it stands for itself. */
const inWords = (kind: string): string =>
  isIntegrityEventKind(kind) ? (integrityEventKinds[kind].sentence.split(';')[0] ?? kind).replace(/\.$/, '') : kind

/** One and several of what was there before the session. */
const things: Readonly<Record<string, readonly [string, string]>> = {
  'display.added': ['display', 'displays'],
  'device.added': ['camera or sound device', 'cameras and sound devices'],
  'network.changed': ['network connection', 'network connections'],
  'process.matched': ['program of the published list', 'programs of the published list'],
  'window.exclusion_started': ['window that stays out of recordings', 'windows that stay out of recordings'],
  'listener.started': ['program that records sound or camera', 'programs that record sound or camera'],
  'output.changed': ['device that plays sound', 'devices that play sound'],
  'hid.changed': ['set of keyboards and mice', 'sets of keyboards and mice'],
  'display.identified': ['set of displays', 'sets of displays'],
  'remote_session.started': ['sign of a desktop shown elsewhere', 'signs of a desktop shown elsewhere'],
  'vm.hint': ['sign of a virtual machine', 'signs of a virtual machine'],
}
const thing = ([kind, n]: [string, number]): string => {
  const [one, several] = things[kind] ?? [inWords(kind), inWords(kind)]
  return `${count(n)} ${n === 1 ? one : several}`
}

const atStart = (states: Readonly<Record<string, number>> | undefined): PdfBlock[] => {
  const words = Object.entries(states ?? {}).map(thing)
  return words.length === 0 ? [] : [{ kind: 'paragraph', text: `At the start: ${words.join(', ')}.` }]
}

export const signalBlocks = ({ report: { signals }, beside: { times }, clock }: Paper): PdfBlock[] => {
  const when = (kind: string, n: number): string => {
    const written = times[kind] ?? []
    const more = n - written.length
    if (written.length === 0) return ''
    return `${written.map(clock.both).join(', ')}${more > 0 ? ` and ${count(more)} more` : ''}`
  }
  const zone = clock.zone === null ? '' : `, ${clock.zone} in brackets`
  const rows = Object.entries(signals.byKind).map(([kind, n]) => [inWords(kind), count(n), when(kind, n)])
  return section('What happened on the computer', 'Nothing was reported.', [
    ...atStart(signals.atStart),
    ...table(['What', 'How often', `When (UTC${zone})`], [5, 2, 8], rows),
  ])
}

const capabilityWords = {
  observable: 'could be observed',
  not_observable: 'could not be observed on this computer',
  not_told: 'not reported',
} as const

export const capabilityBlocks = ({ report: { capabilities } }: Paper): PdfBlock[] => [
  { kind: 'heading', level: 2, text: 'What this computer could observe' },
  quiet('Where something could not be observed, the absence of events says nothing.'),
  ...table(
    ['What', 'State'],
    [2, 3],
    capabilities.map(({ observer, status }) => [
      windowConsentTexts.en[`observer.${observer}`],
      capabilityWords[status],
    ]),
  ),
]
