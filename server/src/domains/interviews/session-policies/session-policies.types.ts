import type { SessionConfig } from '@integrity/protocol'

export interface Author {
  readonly kind: string
  readonly id: string
  readonly label: string | null
}

/** A policy as its latest version stands; times are epoch milliseconds. */
export interface PolicyRow {
  readonly id: string
  readonly name: string
  readonly description: string | null
  readonly state: 'active' | 'archived'
  readonly version: number
  /** One more with each other name or description. */
  readonly nameVersion: number
  readonly config: SessionConfig
  readonly createdAt: number
  readonly createdBy: Author
  readonly updatedAt: number
  readonly archivedAt: number | null
}

export interface PolicyVersionRow {
  readonly version: number
  readonly config: SessionConfig
  readonly createdAt: number
  readonly createdBy: Author
}
