import { IntegrityError } from '@integrity/client/errors'
import { useState } from 'react'
import type { ReadId } from '../../data/desk-api.ts'
import { useWrite, type Write } from '../../parts/use-write.ts'

/** Why the service refused, in its own words, which are English. */
interface Refusal {
  readonly message: string
  /** What it said of a field, by the field's path. */
  readonly at: Readonly<Record<string, string>>
}

export interface Act extends Pick<Write, 'busy' | 'problem'> {
  readonly refusal: Refusal | undefined
  /** What has been done, in a sentence. */
  readonly done: string | undefined
  /** Does it unless something is being done; `doing` answers what is to be said of it. */
  readonly act: (doing: () => Promise<string | undefined>) => void
}

const refusalOf = (error: unknown): Refusal | undefined =>
  error instanceof IntegrityError
    ? { message: error.message, at: Object.fromEntries(error.details.map(({ path, message }) => [path, message])) }
    : undefined

/** One act at a time, with what the service said of it. `changes`: as those of `useWrite`. */
export const useAct = (...changes: readonly ReadId[]): Act => {
  const { busy, problem, write } = useWrite(...changes)
  const [refusal, setRefusal] = useState<Refusal>()
  const [done, setDone] = useState<string>()
  const act = (doing: () => Promise<string | undefined>) =>
    write(async () => {
      setRefusal(undefined)
      setDone(undefined)
      try {
        setDone(await doing())
      } catch (error) {
        setRefusal(refusalOf(error))
        throw error
      }
    })
  return { busy, problem, refusal, done, act }
}
