import { type AccountState, aidText, momentRules } from '@integrity/protocol'
import { describe, expect, it } from 'vitest'
import type { PdfBlock } from '../../../platform/pdf/pdf.types.ts'
import { at, iso } from './moments.test-support.ts'
import type { ReportDocument } from './report.document.model.ts'
import type { BesideReport } from './report.paper.model.ts'
import { reportPdf } from './report.pdf.view.ts'
import { aReport as report } from './report.test-support.ts'

const textsOf = (blocks: readonly PdfBlock[]): string =>
  blocks
    .flatMap((block) => {
      if (block.kind === 'table') return block.rows.flat()
      if (block.kind === 'legend') return block.entries.map(({ text }) => text)
      return block.kind === 'strip' ? [block.label] : [block.text]
    })
    .join('\n')

describe('the document of a report', () => {
  it('shows lanes in parts, displays by number, and of what could be observed what is declared alone', () => {
    const { lanes: all, capabilities } = report(2, 0)
    expect(all[0]?.strip).toEqual([...Array(120).fill(100), ...Array(120).fill(0)])
    expect(all[0]?.gaps.map(({ display }) => display)).toEqual([null, 1])
    expect(capabilities.find(({ observer }) => observer === 'foreground')).toEqual({
      observer: 'foreground',
      status: 'not_observable',
    })
    expect(capabilities.find(({ observer }) => observer === 'idle')?.status).toBe('not_told')
    expect(JSON.stringify(report(2, 1))).not.toMatch(/Own|own"|Candidate 12/)
  })
})

const beside: BesideReport = {
  candidateLabel: 'آشا (R.)',
  schedule: { startsAt: iso(-60), durationMinutes: 60, timeZone: 'Asia/Kolkata' },
  consents: [
    {
      kind: 'agent',
      version: '2026-11-26',
      locale: 'hi',
      documentHash: 'ef'.repeat(32),
      recordedAt: at(-10),
      lanes: ['screen', 'camera'],
    },
  ],
  moments: [
    {
      at: at(30),
      untilAt: at(50),
      rule: 'lane_gap',
      lanes: ['screen', 'camera'],
      reason: 'agent_stopped',
      baseRate: null,
    },
    {
      at: at(60),
      untilAt: null,
      rule: 'display_connected',
      lanes: [],
      reason: null,
      baseRate: { sessions: 1041, seenIn: 26 },
    },
  ],
  aids: [
    { aid: 'notes', state: 'agreed', detail: 'one sheet', breaks: null, text: aidText('notes') },
    { aid: 'breaks', state: 'agreed', detail: null, breaks: { count: 2, minutes: 5 }, text: aidText('breaks') },
    { aid: 'helper', state: 'refused', detail: null, breaks: null, text: aidText('helper') },
  ],
  times: { 'display.added': [at(60)] },
}
const chapter = (blocks: readonly PdfBlock[], title: string): readonly PdfBlock[] => {
  const from = blocks.findIndex((block) => block.kind === 'heading' && block.text === title)
  const rest = blocks.slice(from + 1)
  const to = rest.findIndex(({ kind }) => kind === 'heading')
  return rest.slice(0, to < 0 ? undefined : to)
}
const chapterOf = (title: string, fields: Partial<ReportDocument> = {}, more: Partial<BesideReport> = {}) =>
  chapter(reportPdf({ ...report(2, 1), ...fields }, { sha256: '', beside: { ...beside, ...more } }).blocks, title)
const textOf = (...wanted: Parameters<typeof chapterOf>) => textsOf(chapterOf(...wanted))
type Lane = ReportDocument['lanes'][number]
const stretch = (from: number, to: number, state: AccountState) => ({
  fromAt: iso(from),
  toAt: iso(to),
  state,
  reason: null,
  reportedBy: 'agent' as const,
  held: true,
})
const lane = (fields: Partial<Lane>): Lane => ({ ...report(0, 0).lanes[0]!, sentence: 'A sentence.', ...fields })

describe('a report on paper', () => {
  it('says first what it is of, who signed it, and how much of each lane there is', () => {
    const { title, foot, blocks, createdAt } = reportPdf(report(2, 1), { sha256: 'ab'.repeat(32), beside })
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
      'Declined by the candidate',
      'Not asked for',
      'could not be observed',
      // As the candidate has read it.
      'The program in front',
      'It was the dock.',
      'harmless',
    ])
      expect(texts).toContain(words)
    expect(textsOf(reportPdf(report(0, 0, { signOff: null }), { sha256: '' }).blocks)).toContain('Not signed off')
  })

  it('names the candidate and the appointment, in its zone beside UTC', () => {
    const head = textOf('Report of a session')
    // Whichever way the name is written, what follows it is not turned.
    expect(head).toContain('\u2068آشا (R.)\u2069')
    expect(head).toMatch(/UTC; \d+ \w+ \d{4} [\d:]{8} \(Asia\/Kolkata\), 60 min/)
  })

  it('says what was agreed, declined and withdrawn, when, and to which text', () => {
    const answer = { granted: true, at: iso(-9), withdrawnAt: null }
    const consent = {
      documentHash: 'ef'.repeat(32),
      lanes: { screen: answer, camera: { ...answer, granted: false }, microphone: { ...answer, withdrawnAt: iso(20) } },
    }
    const [table] = chapterOf('Consent', { consent })
    expect(table?.kind === 'table' && table.rows.map(([name, said, , gone]) => [name, said, gone !== ''])).toEqual([
      ['Screen', 'agreed', false],
      ['Camera', 'declined', false],
      ['Microphone', 'agreed', true],
    ])
    const words = textOf('Consent', { consent })
    expect(words).toContain(`Text of 2026-11-26 in Hindi, answered on the application on the computer`)
    expect(words).toContain(`SHA-256 ${'ef'.repeat(32)}`)
    expect(textOf('Consent', { consent: null }, { consents: [] })).toContain('No answer was recorded.')
  })

  it('lists each moment once, with its title, its lanes and its times', () => {
    const [, , table] = chapterOf('Moments')
    expect(table?.kind === 'table' && table.rows.map((row) => row.slice(0, 2))).toEqual([
      ['Nothing recorded for 20 s (agent stopped)', 'Screen, Camera'],
      [momentRules.display_connected.title, ''],
    ])
    expect(textOf('Moments', {}, { moments: [] })).toContain('The rules found none.')
  })

  it('says beside a moment in how many interviews its rule found something, and has no column where none is shown', () => {
    const [, , table] = chapterOf('Moments')
    expect(table?.kind === 'table' && table.rows.map((row) => row.at(-1))).toEqual(['', 'in 26 of 1,041 interviews'])
    const without = beside.moments.map((moment) => ({ ...moment, baseRate: null }))
    expect(textOf('Moments', {}, { moments: without })).not.toContain('interviews')
  })

  it('has the declared aids in the words of both sides, their answers, and each break once for all lanes', () => {
    const broken = (name: Lane['lane'], from: number) =>
      lane({ lane: name, account: [stretch(0, from, 'observed'), stretch(from, 900, 'agreed_break')] })
    const words = textOf('Aids and breaks', { lanes: [broken('screen', 600), broken('microphone', 601)] })
    expect(words).toContain(`${aidText('notes')}\nIn the candidate’s words: one sheet\nagreed`)
    expect(words).toContain(`${aidText('breaks')}\nBreaks: 2, of up to 5 min each.\nagreed`)
    expect(words).toContain(`${aidText('helper')}\ndeclined by the organisation`)
    expect(words.match(/Agreed break/g)).toHaveLength(1)
    expect(words).toContain('5 min 0 s')
    expect(textOf('Aids and breaks', {}, { aids: [] })).toContain('The candidate declared no aid.')
  })

  it('has the words of the candidate, and whether they were marked as read', () => {
    const statements = [
      { id: 'm_1', at: iso(7300), text: 'My neighbour came in.', readAt: null },
      { id: null, at: iso(7400), text: null, readAt: iso(7500) },
      { id: 'm_2', at: iso(7450), text: 'It was the dock.', readAt: null, moment: { id: 'mom_1', at: iso(60) } },
    ]
    const words = textOf('What the candidate wrote', { statements })
    expect(words).toMatch(/not marked as read\nMy neighbour came in\./)
    expect(words).toMatch(/marked as read at .*\nThe words were erased\./)
    expect(words).toMatch(/about the moment at .*; not marked as read\nIt was the dock\./)
    expect(textOf('What the candidate wrote')).toContain('Nothing was written.')
  })

  it('lists one incident of several lanes once', () => {
    const gap = { fromAt: iso(10), toAt: iso(95), seconds: 85, reason: 'offline' as const, display: null }
    const other = { ...gap, fromAt: iso(11), toAt: iso(94), seconds: 83 }
    const pause = { ...gap, fromAt: iso(5), toAt: iso(20), seconds: 15, reason: 'paused' as const }
    const lanes = [lane({ gaps: [gap] }), lane({ lane: 'camera', gaps: [other] })]
    const rowsOf = (of: readonly Lane[]) => {
      const [table] = chapterOf('Gaps', { lanes: of })
      return table?.kind === 'table' ? table.rows : []
    }
    expect(rowsOf(lanes)).toHaveLength(1)
    // Of another cause, it is another one.
    expect(rowsOf([...lanes, lane({ lane: 'microphone', gaps: [pause] })]).map(([names]) => names)).toEqual([
      'Microphone',
      'Screen; Camera',
    ])
    expect(textOf('Gaps', { lanes })).toMatch(/^Screen; Camera\n[\s\S]*1 min 25 s\nThe computer was offline so long/)
  })

  it('says events in words with their times, and what was so before in one line', () => {
    const words = textOf('What happened on the computer', {
      signals: { total: 3, byKind: { 'display.added': 3 }, atStart: { 'display.added': 1, 'device.added': 2 } },
    })
    expect(words).toContain('At the start: 1 display, 2 cameras and sound devices.')
    expect(words).toMatch(/A display was connected\n3\n[\d:]{8} \([\d:]{8}\) and 2 more/)
    expect(words).not.toContain('display.added')
  })
})

describe('the strip of a lane', () => {
  const drawn = (fields: Partial<Lane>) => {
    const block = chapterOf('Lanes', { lanes: [lane(fields)] }).at(-1)
    return block?.kind === 'strip' ? block.stretches : block
  }
  const states: AccountState[] = ['observed', 'gap', 'paused', 'declined', 'not_wanted', 'agreed_break']

  it('is the account, whose stretches neither overlap nor leave anything white', () => {
    const account = states.map((state, n) => stretch(n * 1200, (n + 1) * 1200, state))
    const stretches = drawn({ account, expected: 7200 })
    if (!Array.isArray(stretches)) throw new Error('no strip')
    expect(stretches.map(({ look }) => look)).toEqual(['filled', 'framed', 'pale', 'hatched', 'line', 'pale'])
    for (const [n, { from }] of stretches.entries()) expect(from).toBeCloseTo(n === 0 ? 0 : stretches[n - 1]!.to)
    expect(stretches.at(-1)?.to).toBe(1)
  })

  it('tells apart what was declined, never used, and lost', () => {
    const words = (fields: Partial<Lane>) => textOf('Lanes', { lanes: [lane(fields)] })
    const whole = (state: AccountState) => ({ account: [stretch(0, 7200, state)] })
    const none = { expected: 0, observed: 0 }
    expect(words({ ...none, ...whole('declined'), declined: true })).toContain('Screen. Declined by the candidate.')
    expect(words({ ...none, ...whole('not_wanted') })).toContain('Screen. Never used; nothing was expected of it.')
    expect(words({ ...whole('gap'), expected: 7200, observed: 0 })).toContain('Screen. A sentence.')
    expect(words({ ...none, enabled: false, account: [] })).toContain('Screen. Not asked for.')
    const looks = (['declined', 'not_wanted', 'gap'] as const).map((state) => drawn({ ...none, ...whole(state) }))
    expect(new Set(looks.map((one) => JSON.stringify(one))).size).toBe(3)
  })

  it('of a report that was signed before there was an account has gaps that win over what was observed', () => {
    const gap = { fromAt: iso(1800), toAt: iso(3600), seconds: 1800, reason: 'offline' as const, display: null }
    const { account: _account, ...old } = lane({ strip: [...Array(180).fill(100), ...Array(60).fill(0)], gaps: [gap] })
    const block = chapterOf('Lanes', { lanes: [{ ...old, expected: 7200 }] }).at(-1)
    expect(block?.kind === 'strip' && block.stretches).toEqual([
      { from: 0, to: 0.25, look: 'filled' },
      { from: 0.25, to: 0.5, look: 'framed' },
      { from: 0.5, to: 0.75, look: 'filled' },
      { from: 0.75, to: 1, look: 'framed' },
    ])
  })
})
