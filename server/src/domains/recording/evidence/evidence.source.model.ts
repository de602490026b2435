import {
  type EvidenceSender,
  type EvidenceSource,
  type EvidenceType,
  evidenceSourceOf,
  evidenceTypeNames,
  evidenceTypes,
  laneOfSource,
} from '@integrity/protocol'
import type { AuditActor } from '../../../kernel/identity/actor.ts'
import type { EvidenceRow, Item, Origin } from './evidence.types.ts'

const senderOf = ({ kind }: Pick<AuditActor, 'kind'>): EvidenceSender => {
  if (kind === 'companion') return 'phone'
  return kind === 'room' ? 'room' : 'agent'
}

/** The credential decides; of a display alone the sender's word is taken. */
export const originOf = (
  actor: Pick<AuditActor, 'kind'>,
  { evidenceType, metadata }: Pick<Item, 'evidenceType' | 'metadata'>,
): { readonly source: EvidenceSource; readonly sentBy: EvidenceSender } => {
  const sentBy = senderOf(actor)
  return { source: evidenceSourceOf(evidenceType, sentBy, metadata['displayId']), sentBy }
}

/** Of a row that is older than the column: what rooms sent was told apart when the column was made. */
export const sentByOf = ({ sentBy, evidenceType }: Pick<EvidenceRow, 'evidenceType'> & Pick<Origin, 'sentBy'>) =>
  sentBy ?? (evidenceTypes[evidenceType].lane === 'side_view' ? 'phone' : 'agent')

export const sourceOf = (row: Pick<EvidenceRow, 'evidenceType' | 'metadata'> & Origin): EvidenceSource => {
  if (row.source !== null) return row.source
  const { displayId } = JSON.parse(row.metadata) as { displayId?: unknown }
  return evidenceSourceOf(row.evidenceType, sentByOf(row), displayId)
}

/** The types that a source may have something of. No type tells the camera in the room from the candidate's. */
export const typesOfSource = (source: EvidenceSource): readonly EvidenceType[] => {
  const lane = laneOfSource(source)
  if (lane === 'room_camera') return ['camera_frame']
  return evidenceTypeNames.filter((type) => evidenceTypes[type].lane === lane)
}
