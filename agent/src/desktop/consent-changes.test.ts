import { describe, expect, it } from 'vitest'
import type { ConsentDocument } from '../core/session/ports.ts'
import { consentChanges } from './consent-changes.ts'

const document = (over: Partial<ConsentDocument> = {}): ConsentDocument => ({
  version: '1',
  locale: 'en',
  hash: 'a'.repeat(64),
  retentionDays: 90,
  lanes: [
    { lane: 'screen', required: true, title: 'Your screen', text: 'Pictures.' },
    { lane: 'camera', required: false, title: 'Your camera', text: 'Frames.' },
  ],
  aids: [],
  ...over,
})

describe('what changed in a consent document', () => {
  it('names lanes that came, went, read differently or cannot be declined any more, and another time of keeping', () => {
    const now = document({
      retentionDays: 30,
      lanes: [
        { lane: 'screen', required: true, title: 'Your screen', text: 'Pictures and a film.' },
        { lane: 'microphone', required: true, title: 'Your microphone', text: 'Sound.' },
      ],
    })
    expect(consentChanges(document(), now)).toEqual([
      { what: 'lane_text', lane: 'screen', title: 'Your screen', before: 'Pictures.' },
      { what: 'lane_added', lane: 'microphone', title: 'Your microphone' },
      { what: 'lane_removed', lane: 'camera', title: 'Your camera' },
      { what: 'retention', before: '90' },
    ])
    const stricter = document({ lanes: document().lanes.map((lane) => ({ ...lane, required: true })) })
    expect(consentChanges(document(), stricter)).toEqual([
      { what: 'lane_required', lane: 'camera', title: 'Your camera' },
    ])
    expect(consentChanges(stricter, document())).toEqual([
      { what: 'lane_optional', lane: 'camera', title: 'Your camera' },
    ])
  })

  it('is empty when only the hash differs', () => {
    expect(consentChanges(document(), document({ hash: 'b'.repeat(64) }))).toEqual([])
  })
})
