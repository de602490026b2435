import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import type { PdfBlock, PdfDocument } from './pdf.types.ts'
import { layOut } from './pdf-layout.ts'

const isInstalled = (program: string): boolean => {
  try {
    execFileSync(program, [program === 'qpdf' ? '--version' : '-v'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
/** A build server without them must fail, or the claim would go untested forever. */
export const canReadPdf = ['qpdf', 'pdftotext', 'pdfinfo'].every(isInstalled) || process.env['CI'] !== undefined

export const aDocument = (blocks: readonly PdfBlock[], fields: Partial<PdfDocument> = {}): PdfDocument => ({
  title: 'A title',
  language: 'en',
  createdAt: Date.UTC(2026, 8, 4),
  foot: ['First line', 'Hash abc'],
  blocks,
  ...fields,
})
export const pdfOf = (document: PdfDocument): Promise<Buffer> => buffer(layOut(document))

/** Where each word of a page stands, in points from its left upper corner. */
const wordsOf = (boxes: string) =>
  [...boxes.matchAll(/<word xMin="([\d.]+)" yMin="([\d.]+)" xMax="([\d.]+)" yMax="([\d.]+)">(.*?)<\/word>/g)].map(
    ([, xMin, yMin, xMax, yMax, text = '']) => ({
      xMin: Number(xMin),
      yMin: Number(yMin),
      xMax: Number(xMax),
      yMax: Number(yMax),
      text,
    }),
  )

/** What Debian's own programs say of a PDF. */
export const readPdf = (pdf: Buffer) => {
  const folder = mkdtempSync(join(tmpdir(), 'pdf-'))
  const file = join(folder, 'a.pdf')
  writeFileSync(file, pdf)
  const run = (program: string, ...args: string[]) =>
    execFileSync(program, args, { encoding: 'utf8', maxBuffer: 1 << 28, stdio: ['ignore', 'pipe', 'pipe'] })
  try {
    return {
      checked: run('qpdf', '--check', file),
      /** Objects in words. */
      objects: run('qpdf', '--qdf', '--object-streams=disable', file, '-'),
      text: run('pdftotext', file, '-'),
      words: wordsOf(run('pdftotext', '-bbox', file, '-')),
      info: run('pdfinfo', file),
      structure: run('pdfinfo', '-struct', file),
      pages: Number(/Pages:\s+(\d+)/.exec(run('pdfinfo', file))?.[1]),
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
}
