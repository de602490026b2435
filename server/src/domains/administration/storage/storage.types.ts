import type { PlaceCheck } from '../../../platform/storage/probe-place.ts'

/** What an organisation's place is, without its secrets. */
export type PlaceSettings =
  | { readonly provider: 'local' }
  | {
      readonly provider: 's3'
      readonly endpoint: string
      readonly region: string
      readonly bucket: string
      /** Empty, or ends with a slash. */
      readonly prefix: string
      readonly pathStyle: boolean
    }
  | {
      readonly provider: 'azure'
      readonly endpoint: string
      readonly account: string
      readonly container: string
      readonly prefix: string
    }

/** What a provider's calls are signed with. */
export type PlaceSecrets = { readonly accessKeyId: string; readonly secretAccessKey: string } | { readonly key: string }

export interface PlaceRow {
  readonly id: string
  readonly settings: PlaceSettings
  readonly wrappedSecrets: string | null
  readonly inUse: boolean
  readonly setAt: number
  /** When another place was chosen. */
  readonly replacedAt: number | null
  readonly validatedAt: number | null
  readonly checks: readonly PlaceCheck[]
  /** When a migration found nothing left there. */
  readonly emptiedAt: number | null
}

export interface FailedObject {
  readonly object: string
  readonly message: string
}
