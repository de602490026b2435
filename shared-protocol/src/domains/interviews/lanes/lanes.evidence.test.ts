import { describe, expect, it } from 'vitest'
import { agentEvidenceTypes, evidenceTypeNames, evidenceTypes, maxSmallBytes } from './lanes.evidence.ts'
import { isAgentLane, isRecordedLane, lanes } from './lanes.registry.ts'

describe.each(evidenceTypeNames)('evidence of type %s', (type) => {
  const { lane, contentTypes, maxBytes, title } = evidenceTypes[type]

  it('is captured by the device that asks for its lane', () => {
    expect((agentEvidenceTypes as readonly string[]).includes(type)).toBe(isAgentLane(lane))
    expect(['agent', 'phone']).toContain(lanes[lane].from)
  })

  it('is of one medium', () => {
    expect(new Set(contentTypes.map((content) => content.split('/')[0])).size).toBe(1)
  })

  it('has a ceiling, and words for the candidate', () => {
    expect(maxBytes).toBeGreaterThanOrEqual(maxSmallBytes)
    expect(title).toMatch(/^[A-Z][^.]*$/)
  })
})

describe('evidence of the agent', () => {
  it('comes from the lanes that record, and each of them has some', () => {
    const from = new Set(agentEvidenceTypes.map((type) => evidenceTypes[type].lane))
    for (const lane of from) expect(isRecordedLane(lane), lane).toBe(true)
    expect(from.size).toBe(4)
  })

  it('in pictures fits into one request', () => {
    for (const type of ['screenshot', 'camera_frame'] as const) expect(evidenceTypes[type].maxBytes).toBe(maxSmallBytes)
  })
})
