import type { IntegrityClient } from '@integrity/client'

/** Something that the service acknowledged. */
interface Entry {
  readonly what: string
  /** When it was acknowledged, epoch milliseconds. */
  readonly at: number
  readonly sent: string
  /** The same as it is there now. */
  readonly read: (api: IntegrityClient) => Promise<string>
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
  readonly entries: readonly Entry[]
  /** Call it when the service has acknowledged: from now on it has to be there. */
  wrote(what: string, sent: string, read: Entry['read']): void
  /** Reads everything back. */
  findLost(api: IntegrityClient): Promise<Lost[]>
}

const readersAtOnce = 4

const refusalIn = async (answer: Response): Promise<Omit<Answered, 'at'>> => {
  const body = (await answer.json().catch(() => ({}))) as { error?: { code?: string; message?: string } }
  const { code, message } = body.error ?? {}
  if (code === undefined) return { refusal: `status ${answer.status} without a code`, inWords: false }
  const refusal = code === 'service_unavailable' ? `${code} (${message})` : code
  return { refusal, inWords: code !== 'internal_error' }
}

export const createLedger = (): Ledger => {
  const answers: Answered[] = []
  const entries: Entry[] = []
  const compare = async (api: IntegrityClient, { what, at, sent, read }: Entry): Promise<Lost | undefined> => {
    try {
      const there = await read(api)
      return there === sent ? undefined : { what, at, why: `${there || 'nothing'} instead of ${sent}` }
    } catch (error) {
      return { what, at, why: (error as Error).message }
    }
  }
  return {
    answers,
    entries,
    fetch: async (url, init) => {
      try {
        const answer = await fetch(url, init)
        const came = answer.ok ? { refusal: undefined, inWords: true } : await refusalIn(answer.clone())
        answers.push({ at: Date.now(), ...came })
        return answer
      } catch (error) {
        // Whether it was done is not known; the client asks again.
        answers.push({ at: Date.now(), refusal: 'connection broken', inWords: true })
        throw error
      }
    },
    wrote: (what, sent, read) => void entries.push({ what, at: Date.now(), sent, read }),
    async findLost(api) {
      const lost: Lost[] = []
      const left = [...entries]
      const readOn = async () => {
        for (let entry = left.pop(); entry; entry = left.pop()) {
          const missing = await compare(api, entry)
          if (missing) lost.push(missing)
        }
      }
      await Promise.all(Array.from({ length: readersAtOnce }, readOn))
      return lost
    },
  }
}
