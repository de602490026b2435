import type { MotionSample } from './session.types.ts'

/** What the sensor tells of the stand. `unknown`: not measured yet, or this phone does not tell. */
export interface MotionChecks {
  readonly upright: 'good' | 'leaning' | 'unknown'
  readonly steady: 'good' | 'moving' | 'unknown'
}
export interface MotionReading {
  /** Degrees between the screen and the vertical: 0 for a phone that stands upright, 90 for one that lies flat. */
  readonly leanDegrees: number
  /** Standard deviation of the acceleration, m/s². */
  readonly shake: number
}

/** A stand holds a phone within this; more shows the ceiling or the table. */
const leanLimit = 30
/** A hand's tremor is above it, a phone on a desk with someone typing below. */
const shakeLimit = 0.35
const fewest = 5

/** `undefined` until there are enough samples, or when the sensor gives none. */
export const readMotion = (samples: readonly MotionSample[]): MotionReading | undefined => {
  if (samples.length < fewest) return undefined
  const mean = { x: 0, y: 0, z: 0 }
  for (const axis of ['x', 'y', 'z'] as const)
    mean[axis] = samples.reduce((sum, sample) => sum + sample[axis], 0) / samples.length
  const gravity = Math.hypot(mean.x, mean.y, mean.z)
  if (!(gravity > 1)) return undefined
  const spread = samples.reduce(
    (sum, { x, y, z }) => sum + (x - mean.x) ** 2 + (y - mean.y) ** 2 + (z - mean.z) ** 2,
    0,
  )
  return {
    leanDegrees: (Math.asin(Math.min(1, Math.abs(mean.z) / gravity)) * 180) / Math.PI,
    shake: Math.sqrt(spread / samples.length),
  }
}

/** A phone in motion has no lean. */
export const checkMotion = (reading: MotionReading | undefined): MotionChecks => {
  if (!reading) return { upright: 'unknown', steady: 'unknown' }
  if (reading.shake > shakeLimit) return { upright: 'unknown', steady: 'moving' }
  return { upright: reading.leanDegrees > leanLimit ? 'leaning' : 'good', steady: 'good' }
}
