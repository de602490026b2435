import { describe, expect, it } from 'vitest'
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
})
