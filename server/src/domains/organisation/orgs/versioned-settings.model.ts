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
