import { describe, expect, it } from 'vitest'
import type { PdfBlock } from '../../platform/pdf/pdf.types.ts'
import { at } from './moments.test-support.ts'
import { reportPdf } from './report.pdf.view.ts'
import { aReport as report } from './report.test-support.ts'

const textsOf = (blocks: readonly PdfBlock[]): string =>
  blocks
    .flatMap((block) => {
      if (block.kind === 'table') return block.rows.flat()
      return block.kind === 'strip' ? [block.label] : [block.text]
    })
    .join('\n')

describe('the document of a report', () => {
  it('shows lanes in parts, displays by number, and of what could be observed what is declared alone', () => {
    const { lanes: all, capabilities } = report(2, 0)
    expect(all[0]?.strip).toEqual([...Array(120).fill(100), ...Array(120).fill(0)])
    expect(all[0]?.gaps.map(({ display }) => display)).toEqual([null, 1])
    expect(capabilities.find(({ observer }) => observer === 'foreground')).toEqual({
      ...{ observer: 'foreground', status: 'not_observable' },
    })
    expect(capabilities.find(({ observer }) => observer === 'idle')?.status).toBe('not_told')
    expect(JSON.stringify(report(2, 1))).not.toMatch(/Own|own"|Candidate 12/)
  })
})

describe('a report on paper', () => {
  it('says first what it is of, who signed it, and how much of each lane there is', () => {
    const { title, foot, blocks, createdAt } = reportPdf(report(2, 1), 'ab'.repeat(32))
    expect(title).toBe('Report of session R-7, revision 3')
    expect(foot.join(' ')).toContain('revision 3')
    expect(foot.join(' ')).toContain('ab'.repeat(32))
    expect(createdAt).toBe(at(9000))
    const texts = textsOf(blocks)
    for (const words of [
      'Revision 3, signed off by Asha (reviewer)',
      'मैंने सब देखा।',
      '2 h 0 min 0 s',
      '1,440',
      'declined by the candidate',
      'not asked for',
      'could not be observed',
      // As the candidate has read it.
      'The program in front',
      'It was the dock.',
      'harmless',
    ])
      expect(texts).toContain(words)
    expect(textsOf(reportPdf(report(0, 0, { signOff: null }), '').blocks)).toContain('Not signed off')
  })
})
