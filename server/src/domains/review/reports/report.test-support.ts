import { buildSession } from '../../interviews/sessions/build-session.test-support.ts'
import { aGap, aLane, aSource, at, iso } from './moments.test-support.ts'
import { documentOf, type ReportDocument } from './report.document.model.ts'

const session = buildSession({
  state: 'ended',
  endedAt: at(7200),
  externalId: 'R-7',
  candidateLabel: 'Candidate 12',
  capabilities: [
    { observer: 'foreground', status: 'not_observable', why: 'Own words.' },
    { observer: 'own', status: 'observable' },
  ],
})
const signOff = {
  revision: 3,
  supersedes: 2,
  statement: 'मैंने सब देखा।',
  signedOffAt: iso(9000),
  signedOffBy: { name: 'Asha', role: 'reviewer' },
}
const author = { name: 'Asha', role: 'reviewer' }
const lanes = (gaps: number) => ({
  session,
  inventory: [{ evidenceType: 'screenshot' as const, objects: 1440, sizeBytes: 123_456_789, erasedObjects: 2 }],
  coverage: [
    aLane(
      'screen',
      Array.from({ length: gaps }, (_gap, n) =>
        aGap(n * 30, n * 30 + 20, { displayId: n % 2 ? 'Own display' : null! }),
      ),
    ),
    aLane('camera', [], { declined: true }),
    aLane('microphone', [], { enabled: false }),
  ],
  sources: [aSource('screen', [0, 3600])],
  phones: [],
})
/** A signed report with so many gaps and notes. */
export const aReport = (gaps: number, notes: number, fields: Partial<ReportDocument> = {}): ReportDocument => ({
  ...documentOf({
    lanes: lanes(gaps),
    capture: { machines: [], signedItems: 0, notVerifiedItems: 0, notSignedItems: 1440 },
    signals: { total: 2, byKind: { 'display.added': 2 }, atStart: [] },
    statements: [],
    notes: Array.from({ length: notes }, (_note, n) => ({
      id: `not_${n}`,
      text: `remark-${n} ends here.`,
      anchor: n % 2 ? { atMs: n } : null,
      author,
      createdAt: iso(n),
    })),
    annotations: [
      {
        id: 'ann_1',
        momentId: 'mom_1',
        at: null,
        meaning: 'benign',
        text: 'It was the dock.',
        author,
        createdAt: iso(1),
      },
    ],
    signOff,
    now: at(9000),
  }),
  ...fields,
})
