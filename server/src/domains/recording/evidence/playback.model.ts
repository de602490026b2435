import { evidenceTypes } from '@integrity/protocol'
import type { Item, PlayPlace } from './evidence.types.ts'
import type { Numbered } from './playback.store.ts'

/** The number that a sender gave a piece of sound; of other evidence nobody asks for one. */
export const sequenceOf = ({ evidenceType, metadata }: Pick<Item, 'evidenceType' | 'metadata'>): number | undefined => {
  const { sequence } = metadata
  if (!evidenceTypes[evidenceType].contentTypes.some((type) => type.startsWith('audio/'))) return undefined
  return Number.isSafeInteger(sequence) && (sequence as number) >= 0 ? (sequence as number) : undefined
}

/**
 * Where sound is played whose clock was put: not before the piece numbered before it, not behind the one numbered next. A
 * number that is there already says nothing: another device, or a sender that began to count again.
 */
export const playPlaceOf = (
  { capturedAt, sequence }: { readonly capturedAt: number; readonly sequence: number },
  { before, behind }: { readonly before: Numbered | undefined; readonly behind: Numbered | undefined },
): PlayPlace => {
  if (before?.sequence === sequence) return { sequence: -1, playedAt: null }
  const at = Math.min(Math.max(capturedAt, before?.at ?? capturedAt), behind?.at ?? Infinity)
  return { sequence, playedAt: at === capturedAt ? null : at }
}
