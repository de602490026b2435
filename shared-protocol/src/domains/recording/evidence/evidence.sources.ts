import { type EvidenceType, evidenceTypes } from '../../interviews/lanes/lanes.evidence.ts'
import type { LaneName } from '../../interviews/lanes/lanes.registry.ts'

/** Whose credential an object came with. */
export const evidenceSenders = ['agent', 'phone', 'room'] as const
export type EvidenceSender = (typeof evidenceSenders)[number]

/** What recorded an object, one for each display and each camera. `screen` where the agent named no display. */
export type EvidenceSource =
  | `screen:${string}`
  | 'screen'
  | 'microphone'
  | 'system_audio'
  | 'camera'
  | 'room_camera'
  | 'side_view'

const ofDisplay = 'screen:'

/** The lane that a source belongs to; the camera in the room is a lane of its own. */
export const laneOfSource = (source: EvidenceSource): LaneName =>
  source.startsWith(ofDisplay) ? 'screen' : (source as Exclude<EvidenceSource, `screen:${string}`>)

/**
 * The source of an object, by its type and by whose credential it came with. Only the display is the sender's word, as
 * nothing else can know it.
 */
export const evidenceSourceOf = (type: EvidenceType, sentBy: EvidenceSender, displayId?: unknown): EvidenceSource => {
  if (sentBy === 'room') return 'room_camera'
  const { lane } = evidenceTypes[type]
  if (lane !== 'screen') return lane
  const named = typeof displayId === 'string' && displayId !== '' && displayId.length <= 100
  return named ? `${ofDisplay}${displayId}` : 'screen'
}
