/** Bytes from `start` up to, not including, `end`. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

/** What is said of bytes that an endpoint answers. */
interface ContentHead {
  readonly contentType: string
  /** Under which they are kept. Nothing in it may come from a person. */
  readonly fileName?: string
  /** Epoch milliseconds. */
  readonly lastModified?: number
  readonly headers?: Readonly<Record<string, string>>
  /** Whatever the bytes are, a browser that opens them here may run nothing of them. */
  readonly sandboxed?: true
}

/** Bytes that are there, or are written while they are read. */
export interface WholeContent extends ContentHead {
  readonly body: Buffer | AsyncIterable<Buffer | string>
  /** Accounts for them, where they are asked for and not just their headers; durable when it resolves, before the first byte leaves. */
  readonly given?: () => Promise<unknown>
}

/** What of some bytes was given out. `head`: nothing but the headers. */
export interface GivenOut extends ByteRange {
  readonly sizeBytes: number
  readonly head: boolean
}

/** Bytes of a known length and hash, of which a range can be asked for. */
export interface RangedContent extends ContentHead {
  readonly sizeBytes: number
  /** Hex; it is the ETag. */
  readonly sha256: string
  /** Throws at its first piece when they cannot be read. */
  readonly read: (range: ByteRange) => AsyncGenerator<Buffer>
  /** Accounts for them; durable when it resolves, which is before the first byte leaves. */
  readonly given: (out: GivenOut) => Promise<unknown>
}

export type Content = WholeContent | RangedContent
