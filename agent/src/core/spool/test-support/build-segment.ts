import type { Segment } from '../../transcript/segment-writer.ts'

export const buildSegment = (overrides: Partial<Segment> = {}): Segment => ({
  segmentId: 'segment-0',
  sequence: 0,
  speaker: 'candidate',
  startMs: 1000,
  endMs: 2000,
  text: 'the door is open',
  language: 'en-US',
  final: true,
  ...overrides,
})
