import { describe, expect, it } from 'vitest'
import { nothingBeside } from '../../../src/domains/review/reports/report.paper.model.ts'
import { reportPdf } from '../../../src/domains/review/reports/report.pdf.view.ts'
import { aReport as report } from '../../../src/domains/review/reports/report.test-support.ts'
import { canReadPdf, pdfOf, readPdf } from '../../../src/platform/pdf/pdf.test-support.ts'

describe.skipIf(!canReadPdf)('a report on paper, read by other programs', () => {
  it('holds 200 gaps and 5,000 notes, and names revision and hash on every page', async () => {
    const sha256 = 'cd'.repeat(32)
    const { checked, text, pages } = readPdf(await pdfOf(reportPdf(report(200, 5000), { sha256 })))
    expect(checked).toContain('No syntax or stream encoding errors found')
    expect(text.match(/remark-\d+ ends here\./g)).toHaveLength(5000)
    expect(text.match(/The computer was/g)).toHaveLength(200)
    const sheets = text.split('\f').slice(0, -1)
    expect(sheets).toHaveLength(pages)
    for (const sheet of sheets) {
      expect(sheet).toContain(sha256)
      expect(sheet).toContain('revision 3')
    }
  })

  it.each([
    ['Arabic', 'محمد أحمد 123 (X-42)', '123', 'X-42'],
    ['Hebrew', 'דנה לוי 78 (R-9)', '78', 'R-9'],
  ])('sets a candidate whose name is %s from right to left, numbers too', async (_, name, number, code) => {
    const beside = { ...nothingBeside, candidateLabel: name }
    const { words } = readPdf(await pdfOf(reportPdf(report(2, 2), { sha256: 'ab'.repeat(32), beside })))
    const row = words.find(({ text }) => text === 'Candidate')
    const placeOf = (word: string) =>
      words.find(({ text, yMin }) => text.includes(word) && Math.abs(yMin - (row?.yMin ?? Number.NaN)) < 6)?.xMin
    expect(placeOf(code)).toBeLessThan(placeOf(number) ?? Number.NaN)
    const others = words.filter(({ text, yMin }) => /[\u0590-\u06ff]/.test(text) && Math.abs(yMin - row!.yMin) < 6)
    expect(others.length).toBeGreaterThan(0)
    for (const { xMin } of others) expect(xMin).toBeGreaterThan(placeOf(number) ?? Number.NaN)
  })
})
