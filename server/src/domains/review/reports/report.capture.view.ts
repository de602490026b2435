import type { PdfBlock } from '../../../platform/pdf/pdf.types.ts'
import type { SignedCapture } from './report.capture.model.ts'

type Machine = SignedCapture['machines'][number]

const counted = (n: number, one: string, more = `${one}s`): string =>
  `${n.toLocaleString('en')} ${n === 1 ? one : more}`

const places = ({ gaps, missingItems }: Machine): string => {
  const named = gaps.map(({ from, to }) => (from === to ? `${from}` : `${from} to ${to}`))
  return `No item is here of ${counted(missingItems, 'place')} in its chain: ${named.join(', ')}${gaps.length < 100 ? '' : ' and later ones'}.`
}

const wordsOf = (machine: Machine): string => {
  const { key, registeredAt, items, missingItems, brokenPlaces, repeatedItems, endedAt } = machine
  return [
    `A machine whose key (${key}) was registered with the consent at ${registeredAt.slice(0, 19).replace('T', ' ')} UTC signed ${counted(items, 'item')} that ${items === 1 ? 'is' : 'are'} here.`,
    missingItems > 0 ? places(machine) : 'Its chain has no gap.',
    brokenPlaces > 0 ? `${counted(brokenPlaces, 'item does', 'items do')} not follow the one before.` : '',
    repeatedItems > 0 ? `${counted(repeatedItems, 'item claims', 'items claim')} a place that another one has.` : '',
    endedAt === null
      ? 'The machine did not say where its chain ends: were the last items missing, it would not show.'
      : '',
  ]
    .filter((words) => words !== '')
    .join(' ')
}

const others = ({ machines, notSignedItems, notVerifiedItems }: SignedCapture): string[] => [
  ...(machines.length === 0
    ? [`No machine signed in this session: ${counted(notSignedItems, 'item')} came from applications that do not sign.`]
    : notSignedItems > 0
      ? [
          `${counted(notSignedItems, 'item')} came without a signature, as from a phone, a room or an application that does not sign.`,
        ]
      : []),
  ...(notVerifiedItems > 0
    ? [`${counted(notVerifiedItems, 'item')} came with a signature that is none by a machine of this session.`]
    : []),
]

/** From which machine the evidence is, as far as one has signed it. */
export const captureBlocks = (capture: SignedCapture): PdfBlock[] => [
  { kind: 'heading', level: 2, text: 'Device signatures' },
  {
    kind: 'paragraph',
    quiet: true,
    text: 'A signature shows that an item is as that machine sent it, and in which order. A gap shows that an item is not here: it may not have been sent, or was taken away later.',
  },
  ...[...capture.machines.map(wordsOf), ...others(capture)].map((text): PdfBlock => ({ kind: 'paragraph', text })),
]
