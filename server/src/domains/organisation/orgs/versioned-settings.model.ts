import { ServiceError } from '@integrity/protocol'

/** Settings of an organisation as they are kept. */
export interface KeptSettings<Settings> {
  readonly settings: Settings
  /** 0 where nothing was ever set. */
  readonly version: number
  readonly updatedAt: number | null
}

export interface Written<Settings> {
  readonly settings: Settings
  /** The version that it is written on top of. */
  readonly after: number
  readonly at: number
}

export const setMeanwhile = (): ServiceError =>
  new ServiceError('conflict', 'somebody else has set this meanwhile; read it again before you set it')

/** Throws `conflict` where the writer has seen another version than the one there is. */
export const checkSeen = ({ version }: { readonly version: number }, expectedVersion: number | undefined): void => {
  if (expectedVersion !== undefined && expectedVersion !== version) throw setMeanwhile()
}
