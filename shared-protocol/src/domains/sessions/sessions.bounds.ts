/**
 * How much of each thing one session holds. No interview comes near; what goes beyond is refused in words, so that reading
 * a session costs the same whoever filled it.
 */
export const sessionBounds = {
  /** Displays that its lanes tell of. */
  displays: 16,
  /** Gaps, once those of one lane, display and reason that touch or overlap are joined. */
  gaps: 2000,
  /** Stretches of coverage, once neighbours are joined that observed all or nothing of what they expected. */
  windows: 5000,
  /** Kinds of event that are not in the registry. */
  otherKinds: 200,
} as const
