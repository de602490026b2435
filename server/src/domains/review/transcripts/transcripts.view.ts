import { iso, isoOrNull } from '../../../kernel/time.ts'
import { statedMomentView } from '../../interviews/statements/statements.view.ts'
import { sourceOf } from '../../recording/evidence/evidence.source.model.ts'
import type { TimelineEntry } from './timeline.service.ts'
import type { TimelineItem } from './timeline.types.ts'
import type { SegmentRow } from './transcripts.types.ts'

export const segmentView = (row: SegmentRow) => ({
  id: row.id,
  segmentId: row.segmentId,
  sequence: row.sequence,
  speaker: row.speaker,
  speakerSaidBy: 'agent' as const,
  startMs: row.startMs,
  endMs: row.endMs,
  text: row.text,
  language: row.language,
  final: row.final === 1,
  confidence: row.confidence,
  updatedAt: iso(row.updatedAt),
})

type EventData = Extract<TimelineItem, { kind: 'event' }>['event']['data']

const displayOf = (metadata: string): string | null => {
  const { displayId } = JSON.parse(metadata) as { displayId?: unknown }
  return typeof displayId === 'string' ? displayId : null
}

export const timelineView = (entry: TimelineEntry): TimelineItem => {
  const at = iso(entry.at)
  if ('item' in entry) return entry.item
  switch (entry.kind) {
    case 'speech':
      return { kind: 'speech', at, segment: segmentView(entry.segment) }
    case 'screenshot':
      return { kind: 'screenshot', at, evidence: { id: entry.id, displayId: displayOf(entry.metadata) } }
    case 'statement': {
      const { id: requestId, text, readAt } = entry
      const statement = { requestId, text, readAt: isoOrNull(readAt), moment: statedMomentView(entry) }
      return { kind: 'statement', at, statement }
    }
    case 'camera_frame':
    case 'screen_clip':
    case 'camera_clip':
    case 'side_view_clip': {
      const { kind, id, durationMs } = entry
      return { kind, at, evidence: { id, source: sourceOf(entry), durationMs } }
    }
    case 'event': {
      const { id, eventKind: kind, source } = entry
      return { kind: 'event', at, event: { id, kind, source, data: JSON.parse(entry.data) as EventData } }
    }
  }
}

/** Where something stands on the timeline, by the id that it has in its own list. */
export const timelinePlaceView = (entry: TimelineEntry) => ({
  at: iso(entry.at),
  kind: entry.kind,
  id: entry.kind === 'speech' ? entry.segment.id : entry.id,
})
