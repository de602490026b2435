import { type AgentLane, isAgentLane, type LaneName } from './lanes.registry.ts'

const MiB = 1024 * 1024
const images = ['image/webp', 'image/jpeg', 'image/png'] as const
const sounds = ['audio/webm', 'audio/ogg', 'audio/mp4', 'audio/wav'] as const
const films = ['video/mp4', 'video/webm', 'video/x-matroska'] as const

/**
 * Every type of evidence: its lane (whose consent it needs), what it may contain, its size ceiling,
 * and what the candidate is told about it.
 */
export const evidenceTypes = {
  screenshot: { lane: 'screen', contentTypes: images, maxBytes: 8 * MiB, title: 'Picture of a display' },
  screen_clip: { lane: 'screen', contentTypes: films, maxBytes: 2048 * MiB, title: 'Recording of a display' },
  audio_chunk: { lane: 'microphone', contentTypes: sounds, maxBytes: 64 * MiB, title: 'Sound of the microphone' },
  system_audio_chunk: {
    lane: 'system_audio',
    contentTypes: sounds,
    maxBytes: 64 * MiB,
    title: 'Sound that the computer played',
  },
  camera_frame: { lane: 'camera', contentTypes: images, maxBytes: 8 * MiB, title: 'Picture of the camera' },
  camera_clip: { lane: 'camera', contentTypes: films, maxBytes: 512 * MiB, title: 'Recording of the camera' },
  side_view_clip: {
    lane: 'side_view',
    contentTypes: films,
    maxBytes: 512 * MiB,
    title: "Recording of the phone's side view",
  },
  placement_photo: {
    lane: 'side_view',
    contentTypes: images,
    maxBytes: 8 * MiB,
    title: "Confirmation photo of the phone's place",
  },
} as const satisfies Record<
  string,
  { lane: LaneName; contentTypes: readonly string[]; maxBytes: number; title: string }
>
export type EvidenceType = keyof typeof evidenceTypes
export const evidenceTypeNames = Object.keys(evidenceTypes) as [EvidenceType, ...EvidenceType[]]

/** What evidence may be made of. */
export const evidenceMediaTypes = [...images, ...sounds, ...films] as const

/** Types that the desktop agent captures; the phone and the room have their own. */
export type AgentEvidenceType = {
  [Type in EvidenceType]: (typeof evidenceTypes)[Type]['lane'] extends AgentLane ? Type : never
}[EvidenceType]
export const agentEvidenceTypes: readonly AgentEvidenceType[] = evidenceTypeNames.filter(
  (type): type is AgentEvidenceType => isAgentLane(evidenceTypes[type].lane),
)

/** Largest item accepted in one request; larger ones are uploaded in parts. */
export const maxSmallBytes = 8 * MiB
