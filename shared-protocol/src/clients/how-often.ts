/** Few words for a table, and the number that belongs into them. */
export interface HowOften {
  readonly key: `brief.${'second' | 'seconds' | 'secondsAndClips' | 'clips' | 'always' | 'changes'}`
  readonly n: number
}

export const always: HowOften = { key: 'brief.always', n: 0 }

/** A picture each time. */
export const everySeconds = (n: number): HowOften => ({ key: n === 1 ? 'brief.second' : 'brief.seconds', n })

/** A phone that films does so without an end. */
export const sideViewOften = (policy: {
  readonly recording: boolean
  readonly previewIntervalSeconds: number
}): HowOften => (policy.recording ? always : everySeconds(policy.previewIntervalSeconds))
