import {
  accountJoinMs,
  type EvidenceType,
  joinNeighbours,
  keyframeMs,
  type SessionConfig,
  type Span,
} from '@integrity/protocol'
import type { Stated } from './account.layers.model.ts'
import type { AccountStretch, HeldObject } from './account.types.ts'

/** A recording whose length nobody said counts for so long, seconds. */
const untoldSeconds = (type: EvidenceType, { audio, camera }: SessionConfig): number => {
  if (type === 'audio_chunk' || type === 'system_audio_chunk') return audio.chunkSeconds
  return type === 'camera_clip' ? camera.clipSeconds : 30
}

const isStill = ({ evidenceType }: HeldObject): boolean =>
  evidenceType === 'screenshot' || evidenceType === 'camera_frame'
const isRecording = (object: HeldObject): boolean => !isStill(object) && object.evidenceType !== 'placement_photo'

/** A still stands for what was seen around it; where its lane says nothing, longer than this nobody can say. Milliseconds. */
const stillHoldMs = (intervalSeconds: number): number => Math.max(3 * intervalSeconds, 30) * 1000

const stillHoldOf = ({ evidenceType }: HeldObject, { capture, camera }: SessionConfig): number =>
  stillHoldMs(evidenceType === 'screenshot' ? capture.screenshotIntervalSeconds : camera.stillIntervalSeconds)

/** An agent sends no still of a display while it does not change, but for key frames. */
const longestHoldOf = (still: HeldObject, config: SessionConfig): number =>
  still.evidenceType === 'screenshot' ? Math.max(keyframeMs, stillHoldOf(still, config)) : stillHoldOf(still, config)

/** The times of which recordings tell. */
export const recordedSpans = (objects: readonly HeldObject[], config: SessionConfig): Span[] =>
  objects.filter(isRecording).map(({ evidenceType, capturedAt, durationMs }) => ({
    fromAt: capturedAt,
    toAt: capturedAt + (durationMs ?? untoldSeconds(evidenceType, config) * 1000),
  }))

/** The times for which stills stand of a lane that says nothing of itself. */
export const stillSpans = (objects: readonly HeldObject[], config: SessionConfig): Span[] =>
  objects
    .filter(isStill)
    .map((still) => ({ fromAt: still.capturedAt, toAt: still.capturedAt + stillHoldOf(still, config) }))

/** Of times that were observed, those for which there is an object: a still stands while nothing interrupts. */
export const heldSpans = (
  objects: readonly HeldObject[],
  observed: readonly Span[],
  config: SessionConfig,
): readonly Span[] => {
  const stills = objects.filter(isStill).sort((a, b) => a.capturedAt - b.capturedAt)
  const runs = joinNeighbours(observed, accountJoinMs)
  const shown: Span[] = []
  let next = 0
  for (const still of stills) {
    // A still of just before a run is its first one.
    while (next < runs.length && runs[next]!.toAt <= still.capturedAt) next += 1
    const run = runs[next]
    if (!run || run.fromAt > still.capturedAt + accountJoinMs) continue
    const toAt = Math.min(run.toAt, still.capturedAt + longestHoldOf(still, config))
    shown.push({ fromAt: Math.max(run.fromAt, still.capturedAt), toAt })
  }
  return joinNeighbours([...recordedSpans(objects, config), ...shown], accountJoinMs)
}

/** The same stretches, those that were observed split where an object begins or ends to be there. Both lists are in order. */
export const withHeld = (stretches: readonly Stated[], held: readonly Span[]): AccountStretch[] => {
  const all: AccountStretch[] = []
  let next = 0
  for (const stretch of stretches) {
    if (stretch.state !== 'observed') {
      all.push({ ...stretch, held: false })
      continue
    }
    let { fromAt } = stretch
    const until = stretch.toAt
    while (next < held.length && held[next]!.toAt <= fromAt) next += 1
    for (let n = next; n < held.length && held[n]!.fromAt < until; n += 1) {
      const begins = Math.max(fromAt, held[n]!.fromAt)
      const toAt = Math.min(held[n]!.toAt, until)
      if (begins > fromAt) all.push({ ...stretch, fromAt, toAt: begins, held: false })
      all.push({ ...stretch, fromAt: begins, toAt, held: true })
      fromAt = toAt
    }
    if (fromAt < until) all.push({ ...stretch, fromAt, held: false })
  }
  return all
}
