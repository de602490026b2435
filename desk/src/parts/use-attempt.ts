import { type ErrorDetail, IntegrityError } from '@integrity/client/errors'
import { useState } from 'react'
import type { ReadId } from '../data/desk-api.ts'
import { useWrite, type Write } from './use-write.ts'

/** What an attempt answers when it has not done it, because somebody else has changed meanwhile what it was to change. */
export const meanwhile = Symbol('meanwhile')

/** What the service said when it did not accept something: in its own words, which are English. */
export interface Refusal {
  readonly words: string
  readonly details: readonly ErrorDetail[]
}

export interface Attempt extends Pick<Write, 'busy' | 'problem'> {
  readonly refusal: Refusal | undefined
  /** How the latest attempt ended. */
  readonly end: 'none' | 'meanwhile' | 'done'
  /** What has been done, in the sentence that the attempt answered. */
  readonly said: string | undefined
  /** The service's words about a field, by its path or what is below it. */
  readonly at: (path: string) => string | undefined
  /** Does it unless it is being done. It may answer `meanwhile`, or a sentence that says what has been done. */
  readonly attempt: (act: () => Promise<unknown>) => void
}

/** Whether what was said of a path is about a field. */
export const isAbout = (path: string, field: string): boolean => path === field || path.startsWith(`${field}.`)

/** Undefined for what no words of the service can help with: no answer, a sign-in that is over, too many attempts. */
const refusalIn = (error: unknown): Refusal | undefined => {
  if (!(error instanceof IntegrityError) || !error.isAnswer) return undefined
  if (error.kind === 'unauthorized' || error.kind === 'too_many') return undefined
  return { words: error.message, details: error.details }
}

/** One write at a time, with the service's own words when it refuses. `changes`: as those of `useWrite`. */
export const useAttempt = (...changes: readonly ReadId[]): Attempt => {
  const { busy, problem, write } = useWrite(...changes)
  const [refusal, setRefusal] = useState<Refusal>()
  const [end, setEnd] = useState<Attempt['end']>('none')
  const [said, setSaid] = useState<string>()
  const run = async (act: () => Promise<unknown>) => {
    setRefusal(undefined)
    setEnd('none')
    setSaid(undefined)
    try {
      const answer = await act()
      setEnd(answer === meanwhile ? 'meanwhile' : 'done')
      setSaid(typeof answer === 'string' ? answer : undefined)
    } catch (error) {
      setRefusal(refusalIn(error))
      throw error
    }
  }
  return {
    busy,
    problem,
    refusal,
    end,
    said,
    at: (field) => refusal?.details.find(({ path }) => isAbout(path, field))?.message,
    attempt: (act) => write(() => run(act)),
  }
}
