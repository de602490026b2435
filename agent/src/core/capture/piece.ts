import type { CapturedItem } from './types.ts'

/** The time that a recorded piece holds, whole epoch ms; undefined for what has no length. */
export const pieceOf = ({
  capturedAt,
  durationMs,
}: Pick<CapturedItem, 'capturedAt' | 'durationMs'>): { readonly from: number; readonly to: number } | undefined => {
  if (durationMs === undefined || durationMs <= 0) return undefined
  const from = Math.round(capturedAt)
  return { from, to: from + Math.round(durationMs) }
}
