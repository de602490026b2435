import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { aDocument, canReadPdf, pdfOf, readPdf } from './pdf.test-support.ts'
import type { PdfBlock } from './pdf.types.ts'
import { runsOf, settable } from './pdf-fonts.ts'

const strip: PdfBlock = {
  kind: 'strip',
  label: 'Screen',
  alt: 'Half of it was seen.',
  stretches: [
    { from: 0, to: 0.4, look: 'filled' },
    { from: 0.4, to: 0.6, look: 'framed' },
    { from: 0.6, to: 1, look: 'hatched' },
  ],
}
const rows = (n: number) =>
  Array.from({ length: n }, (_row, i) => [`row-${i}`, `नमस्ते ${i}`, 'long words '.repeat(i % 9)])
const table = (n: number): PdfBlock => ({
  kind: 'table',
  head: ['One', 'Two', 'Three'],
  shares: [1, 1, 2],
  rows: rows(n),
})

describe('a text in fonts', () => {
  const all = () => true
  it('is cut where the script changes, blanks between two words of one script with them', () => {
    expect(runsOf('Über नमस्ते जी, ok', false, all)).toEqual([
      { text: 'Über ', font: 'sans' },
      { text: 'नमस्ते जी', font: 'devanagari' },
      { text: ', ok', font: 'sans' },
    ])
    expect(runsOf('अ', true, all)).toEqual([{ text: 'अ', font: 'devanagari-bold' }])
  })

  it('falls back to the usual font, and says what that has not either', () => {
    const covers = (font: string, codePoint: number) => font === 'sans' && codePoint !== 0x4e2d
    expect(runsOf('तa中中 b', false, covers)).toEqual([
      { text: 'तa', font: 'sans' },
      { text: '中中', font: 'sans', unset: true },
      { text: ' b', font: 'sans' },
    ])
  })

  it('loses what no page can show, and keeps its lines', () => {
    expect(settable('a\u0000b\u202ec\r\nd\te\u2028f')).toBe('abc\nd e\nf')
    expect(runsOf('', false, all)).toEqual([])
  })
})

describe.skipIf(!canReadPdf)('a PDF, read by other programs', () => {
  it('is without faults, tagged, in its language and with its title, its time that of the document', async () => {
    const { checked, info, objects } = readPdf(await pdfOf(aDocument([{ kind: 'paragraph', text: 'Words' }])))
    expect(checked).toContain('No syntax or stream encoding errors found')
    expect(info).toMatch(/Title:\s+A title/)
    expect(info).toMatch(/Tagged:\s+yes/)
    expect(info).toMatch(/JavaScript:\s+no/)
    expect(info).toMatch(/CreationDate:\s+.*Sep\s+4 .*2026/)
    expect(objects).toMatch(/\/Lang \(en\)/)
    expect(objects).toContain('/DisplayDocTitle true')
    expect(objects).toMatch(/<pdfuaid:part>1<\/pdfuaid:part>/)
  })

  it('says what each part of it is, and what a picture shows', async () => {
    const blocks: PdfBlock[] = [
      { kind: 'heading', level: 1, text: 'Heading' },
      { kind: 'heading', level: 2, text: 'Below' },
      { kind: 'paragraph', text: 'Words' },
      strip,
      table(2),
    ]
    const { structure, objects } = readPdf(await pdfOf(aDocument(blocks)))
    const parts = [...structure.matchAll(/^\s*([A-Z]\w*)/gm)].map(([, name]) => name)
    expect(parts).toEqual([
      ...['Document', 'H1', 'H2', 'P', 'P', 'Figure', 'Table'],
      ...['TR', 'TH', 'TH', 'TH', 'TR', 'TD', 'TD', 'TD', 'TR', 'TD', 'TD', 'TD'],
    ])
    expect(objects).toContain('/Alt (Half of it was seen.)')
    expect(objects).toMatch(/\/Scope \/Column/)
  })

  it('has above its first page whose it is: a name to be read, a logo that is no part of it, and their colour', async () => {
    const png = (
      await sharp({ create: { width: 20, height: 10, channels: 4, background: '#9c1458' } })
        .png()
        .toBuffer()
    ).toString('base64')
    const letterhead = { name: 'Über नमस्ते', accent: '#9c1458', logo: { png, width: 96, height: 48 } }
    const blocks: PdfBlock[] = [{ kind: 'heading', level: 1, text: 'Heading' }, table(80)]
    const document = aDocument(blocks, { letterhead })
    const pdf = await pdfOf(document)
    const { checked, text, structure, objects } = readPdf(pdf)
    expect(checked).toContain('No syntax or stream encoding errors found')
    expect(text.match(/Über/g)).toHaveLength(1)
    expect(text.indexOf('Über')).toBeLessThan(text.indexOf('Heading'))
    expect([...structure.matchAll(/^\s*([A-Z]\w*)/gm)].slice(0, 4).map(([, name]) => name)).toEqual([
      'Document',
      'P',
      'H1',
      'Table',
    ])
    expect(objects.match(/\/Subtype \/Image/g)?.length).toBeGreaterThan(0)
    expect(objects).toMatch(/0\.61\d* 0\.07\d* 0\.34\d* (?:scn|SCN)/)
    expect((await pdfOf(document)).equals(pdf)).toBe(true)
    const plain = readPdf(await pdfOf(aDocument(blocks, { letterhead: { name: 'Org', accent: '#000000' } })))
    expect(plain.objects).not.toContain('/Subtype /Image')
  })

  it('carries its fonts, and shows Latin, Cyrillic, the rupee and Devanagari', async () => {
    const text = 'Façade ₹ 500 Привет नमस्ते हिन्दी'
    const read = readPdf(await pdfOf(aDocument([{ kind: 'paragraph', text }])))
    expect(read.text).toContain(text)
    const used = [...read.objects.matchAll(/\/BaseFont \/[A-Z]{6}\+(\S+)/g)].map(([, name]) => name)
    expect(new Set(used)).toEqual(new Set(['DejaVuSans', 'NotoSansDevanagari-Regular']))
    expect(read.objects.match(/\/FontFile2 /g)?.length).toBe(2)
    // Drawn in another order than written: whoever listens gets the written one.
    expect(read.objects).toContain(`/ActualText <feff${Buffer.from(text, 'utf16le').swap16().toString('hex')}>`)
  })

  it('goes over as many pages as it needs: no row is cut, and head and foot stand on each', async () => {
    const { text, pages, structure } = readPdf(await pdfOf(aDocument([table(200)])))
    const sheets = text.split('\f').slice(0, -1)
    expect(sheets).toHaveLength(pages)
    expect(pages).toBeGreaterThan(4)
    for (const [n, sheet] of sheets.entries()) {
      expect(sheet).toMatch(/One\n/)
      expect(sheet).toContain('First line')
      expect(sheet).toMatch(new RegExp(`Hash abc\\s+·\\s+Page ${n + 1} of ${pages}\\n`))
    }
    for (const [n, [first = '']] of rows(200).entries()) {
      const sheet = sheets.find((one) => new RegExp(`^${first}$`, 'm').test(one))
      expect(sheet, first).toMatch(new RegExp(`^नमस्ते ${n}$`, 'm'))
    }
    // The head is read once.
    expect(structure.match(/^\s*TH/gm)).toHaveLength(3)
  })

  it('breaks at neither 5,000 short texts nor at a word without end', async () => {
    const blocks = Array.from(
      { length: 5000 },
      (_note, n): PdfBlock => ({ kind: 'paragraph', text: `note-${n} was written` }),
    )
    const endless: PdfBlock = { kind: 'paragraph', text: 'क'.repeat(5000) + 'x'.repeat(5000) }
    const { checked, text } = readPdf(await pdfOf(aDocument([...blocks, endless])))
    expect(checked).toContain('No syntax or stream encoding errors found')
    expect(text.match(/note-\d+ was written/g)).toHaveLength(5000)
    expect(text.match(/x/g)).toHaveLength(5000)
  })

  it('is the same bytes for the same document, and others for another time', async () => {
    const document = aDocument([strip, table(50), { kind: 'paragraph', text: 'हिन्दी' }])
    const one = await pdfOf(document)
    expect((await pdfOf(document)).equals(one)).toBe(true)
    expect((await pdfOf({ ...document, createdAt: document.createdAt + 1000 })).equals(one)).toBe(false)
  })
})
