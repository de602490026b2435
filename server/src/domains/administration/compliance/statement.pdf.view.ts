import { consentLocaleFor, statementSections } from '@integrity/protocol'
import type { Letterhead, PdfBlock, PdfDocument } from '../../../platform/pdf/pdf.types.ts'
import type { StatementDocument } from './statement.document.view.ts'
import { type StatementWords, wordsIn } from './statement.say.model.ts'

interface Stated {
  readonly document: StatementDocument
  /** Absent where it is only looked at. */
  readonly signed?: {
    readonly sha256: string
    readonly signature: { readonly note: string; readonly verifierKey: string }
  }
}

const sectionBlocks = (t: StatementWords, { sentences }: StatementDocument): PdfBlock[] =>
  statementSections.flatMap((section): PdfBlock[] => {
    const rows = sentences
      .filter((one) => one.section === section)
      .map(({ text, heldBy }) => [text, `${heldBy.name}: ${heldBy.file}, “${heldBy.test}”`])
    const heading: PdfBlock = { kind: 'heading', level: 2, text: t(`section.${section}`) }
    const head = [t('columnText'), t('columnHeld')]
    return rows.length === 0 ? [] : [heading, { kind: 'table', head, shares: [3, 2], rows }]
  })

const signatureBlocks = (t: StatementWords, { signature }: NonNullable<Stated['signed']>): PdfBlock[] => [
  { kind: 'heading', level: 2, text: t('signedTitle') },
  { kind: 'paragraph', text: t('signedText') },
  ...[...signature.note.split('\n').filter(Boolean), signature.verifierKey].map(
    (text): PdfBlock => ({ kind: 'paragraph', quiet: true, text }),
  ),
]

/** The statement on paper: each sentence with what holds it, and the signature of its JSON. */
export const statementPdf = (
  { document, signed }: Stated,
  { letterhead, at }: { readonly letterhead: Letterhead; readonly at: number },
): PdfDocument => {
  const t = wordsIn(consentLocaleFor(document.locale))
  const org = document.organisation.name
  return {
    title: t('title', { org }),
    language: document.locale,
    createdAt: document.changedAt === null ? at : Date.parse(document.changedAt),
    foot: [`${document.organisation.id}  ·  ${document.number}`, ...(signed ? [`SHA-256 ${signed.sha256}`] : [])],
    letterhead,
    blocks: [
      { kind: 'heading', level: 1, text: t('title', { org }) },
      { kind: 'paragraph', text: t('intro', { org }) },
      ...sectionBlocks(t, document),
      ...(signed ? signatureBlocks(t, signed) : []),
    ],
  }
}
