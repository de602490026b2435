/** The files of a session's bundle, which holds everything that is kept of it. */
export type Kept = ReadonlyMap<string, Buffer>

/** Something that the service acknowledged. */
interface Entry {
  readonly sessionId: string
  readonly what: string
  /** When it was acknowledged, epoch milliseconds. */
  readonly at: number
  readonly sent: string
  /** The same as it is kept; undefined where it is not. */
  readonly find: (kept: Kept) => string | null | undefined
}

export interface Lost {
  readonly what: string
  readonly at: number
  readonly why: string
}

/** An answer of the service, or none. */
export interface Answered {
  readonly at: number
  /** Undefined: done. Otherwise the code, and the words of a code that has several causes. */
  readonly refusal: string | undefined
  /** Refused by the service itself and in its own words, or passed on by nobody. */
  readonly inWords: boolean
}

export interface Ledger {
  /** Counts what comes of each request. */
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>
  readonly answers: readonly Answered[]
  /** Call it when the service has acknowledged: from now on it has to be there. */
  wrote(entry: Omit<Entry, 'at'>): void
  /** Reads everything back, session by session. */
  findLost(open: (sessionId: string) => Promise<Kept>): Promise<Lost[]>
}

const readersAtOnce = 2

const refusalIn = async (asked: string, answer: Response): Promise<Omit<Answered, 'at'>> => {
  const body = (await answer.json().catch(() => ({}))) as { error?: { code?: string; message?: string } }
  const { code, message } = body.error ?? {}
  if (code === undefined) return { refusal: `status ${answer.status} without a code`, inWords: false }
  // Whoever looks for its cause needs to know what was asked.
  if (code === 'internal_error') return { refusal: `${code} (${asked})`, inWords: false }
  return { refusal: code === 'service_unavailable' ? `${code} (${message})` : code, inWords: true }
}

export const createLedger = (): Ledger => {
  const answers: Answered[] = []
  const entries: Entry[] = []
  const lostOf = async (sessionId: string, open: (sessionId: string) => Promise<Kept>): Promise<Lost[]> => {
    const own = entries.filter((entry) => entry.sessionId === sessionId)
    try {
      const kept = await open(sessionId)
      return own.flatMap(({ what, at, sent, find }) => {
        const there = find(kept)
        return there === sent ? [] : [{ what, at, why: `${there ?? 'nothing'} instead of ${sent}` }]
      })
    } catch (error) {
      return own.map(({ what, at }) => ({ what, at, why: (error as Error).message }))
    }
  }
  return {
    answers,
    fetch: async (url, init) => {
      try {
        const answer = await fetch(url, init)
        const came = answer.ok
          ? { refusal: undefined, inWords: true }
          : await refusalIn(`${init.method ?? 'GET'} ${new URL(url).pathname}`, answer.clone())
        answers.push({ at: Date.now(), ...came })
        return answer
      } catch (error) {
        // Whether it was done is not known; the client asks again.
        answers.push({ at: Date.now(), refusal: 'connection broken', inWords: true })
        throw error
      }
    },
    wrote: (entry) => void entries.push({ ...entry, at: Date.now() }),
    async findLost(open) {
      const lost: Lost[] = []
      const left = [...new Set(entries.map(({ sessionId }) => sessionId))]
      const readOn = async () => {
        for (let id = left.pop(); id !== undefined; id = left.pop()) lost.push(...(await lostOf(id, open)))
      }
      await Promise.all(Array.from({ length: readersAtOnce }, readOn))
      return lost
    },
  }
}
