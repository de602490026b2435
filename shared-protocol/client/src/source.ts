/** Bytes of known length, by place or in order. */
export interface Source {
  readonly size: number
  /** True when a part can be read again. */
  readonly replayable: boolean
  /** Parts in ascending order of `start`; with a replayable source in any order. */
  read(start: number, end: number): Promise<Uint8Array<ArrayBuffer>>
  close(): Promise<void>
}

export const bytesSource = (bytes: Uint8Array): Source => ({
  size: bytes.length,
  replayable: true,
  read: async (start, end) => bytes.slice(start, end) as Uint8Array<ArrayBuffer>,
  close: async () => undefined,
})
