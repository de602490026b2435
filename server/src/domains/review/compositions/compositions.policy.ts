import { compositionInputTypes, type EvidenceType, ServiceError } from '@integrity/protocol'
import type { SessionRow } from '../../interviews/sessions/sessions.types.ts'
import type { CompositionRow } from './compositions.store.ts'

const conflict = (message: string) => new ServiceError('conflict', message)

/** How much there is of each type of evidence, tombstones included in `objects`. */
export interface TypeCount {
  readonly evidenceType: EvidenceType
  readonly objects: number
  readonly erasedObjects: number
}

const isInput = ({ evidenceType }: TypeCount) => (compositionInputTypes as readonly string[]).includes(evidenceType)

/**
 * Names the set of a session's inputs. Rows of evidence are only ever added and erased, never changed, so the two counts
 * of each type tell every set from every other without looking at one row.
 */
export const inputsVersion = (counts: readonly TypeCount[]): string =>
  counts
    .filter(isInput)
    .map(({ evidenceType, objects, erasedObjects }) => `${evidenceType} ${objects}-${erasedObjects}`)
    .sort()
    .join(', ')

/** May a film of this session be made at all? Throws `conflict` with the reason. */
export const admitRender = (session: SessionRow, counts: readonly TypeCount[]): void => {
  if (session.erasedAt !== null)
    throw conflict('the evidence of this session was erased; there is nothing to make a film of')
  if (session.state !== 'ended')
    throw conflict(`this session is ${session.state}; a film can be made once it has ended`)
  const pictures = counts.filter((count) => isInput(count) && count.evidenceType !== 'audio_chunk')
  if (session.startedAt === null || !pictures.some(({ objects, erasedObjects }) => objects > erasedObjects))
    throw conflict(
      'this session has no picture of a screen or a camera; there is nothing to make a film of. Its sound can be downloaded as it is',
    )
}

/** A legal hold keeps it beyond its lifetime. */
export const filmIsThere = (row: CompositionRow, { legalHold }: Pick<SessionRow, 'legalHold'>, now: number): boolean =>
  row.header !== null && row.expiresAt !== null && (legalHold || now < row.expiresAt)

/** What to do to get a film; for whoever asks for the bytes of one that is not there. */
export const notReady = (row: CompositionRow | undefined): ServiceError => {
  switch (row?.status) {
    case undefined:
      return conflict('this composition was never rendered; ask for a render first')
    case 'queued':
    case 'rendering':
      return conflict('this composition is being rendered; ask for it again when its status is ready')
    case 'failed':
      return conflict('the last render of this composition failed; ask for another')
    case 'erased':
      return conflict('the evidence of this session was erased, and its composition with it')
    default:
      return conflict('this composition was removed at the end of its lifetime; ask for another render')
  }
}
