/** What a process asks of the counts that all processes share. */
export interface CountAsk {
  /** A fingerprint: whose calls are counted is not to be read from it. */
  readonly key: string
  readonly limit: number
  /** What is to be counted; 0 looks only. */
  readonly cost: number
  /** So much is granted whatever is left, as long as anything is. */
  readonly least: number
  /** Asked for beyond the cost, so that the next calls need not ask. */
  readonly ahead: number
}

export interface CountAnswer {
  /** Counted by all processes in this window, with what was granted now. */
  readonly used: number
  readonly granted: number
}

/** Port: the counts of a window outside of this process. */
export interface SharedCounts {
  /** No key comes twice. Answers are in the order of the asks. Rejects when the counts cannot be reached. */
  reserve(window: number, asks: readonly CountAsk[]): Promise<readonly CountAnswer[]>
}

/** No more than this part of what is left is granted ahead: so little stays unused in a process that gets no more calls. */
export const aheadPart = 32

/** What an engine grants of an ask when so much has been used; each says the same in its own language. */
export const grantOf = ({ limit, cost, least, ahead }: CountAsk, used: number): number => {
  const room = limit - used
  if (cost <= 0 || room <= 0) return 0
  return Math.max(least, Math.min(room, Math.max(cost, Math.min(ahead, Math.floor(room / aheadPart)))))
}
