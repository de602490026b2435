import { Cache } from '../../../platform/cache.ts'

/** A stretch of a transcript without words. */
export interface TranscriptGap {
  readonly fromMs: number
  readonly toMs: number
}

declare module '../../../kernel/parts.ts' {
  interface Parts {
    /** The gaps of whole transcripts as they were found, by session and what has changed in it until then. */
    readonly transcriptGaps: Cache<Promise<readonly TranscriptGap[]>>
  }
}

/** Who reads a transcript page by page has its gaps looked for once. */
export const createTranscriptGaps = () => new Cache<Promise<readonly TranscriptGap[]>>({ limit: 200 })
