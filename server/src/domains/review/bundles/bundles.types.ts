import type { EvidenceType } from '@integrity/protocol'

/** For whom a bundle is made. */
export type Audience = 'organisation' | 'api' | 'candidate'

export interface Wanted {
  readonly audience: Audience
  /** All where nothing is said. */
  readonly evidence: readonly EvidenceType[] | undefined
  readonly recipients: readonly string[]
  /** Whether whoever asks may have the reports. */
  readonly reports: boolean
}
