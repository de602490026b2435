/** A stretch that somebody marks to write about it; either end may be set first. */
export interface Range {
  readonly fromMs: number | undefined
  readonly toMs: number | undefined
}

export const noRange: Range = { fromMs: undefined, toMs: undefined }

/** With one end set: the other is let go where it would lie on the wrong side. */
export const withEnd = ({ fromMs, toMs }: Range, end: 'from' | 'to', atMs: number): Range => {
  if (end === 'from') return { fromMs: atMs, toMs: toMs !== undefined && toMs > atMs ? toMs : undefined }
  return { fromMs: fromMs !== undefined && fromMs < atMs ? fromMs : undefined, toMs: atMs }
}

/** `1:02:03` since the session started, `−0:05` before it. */
export const playTime = (atMs: number): string => {
  const seconds = Math.floor(Math.abs(atMs) / 1000)
  const two = (value: number) => String(value).padStart(2, '0')
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60]
  const words = hours > 0 ? `${hours}:${two(minutes)}` : `${minutes}`
  return `${atMs < 0 && seconds > 0 ? '−' : ''}${words}:${two(seconds % 60)}`
}
