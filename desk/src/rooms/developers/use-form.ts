import { IntegrityError } from '@integrity/client/errors'
import { useState } from 'react'
import type { ReadId } from '../../data/desk-api.ts'
import { useWrite, type Write } from '../../parts/use-write.ts'

/** What the service said to what was sent, by the path of the field; what is about no field is below the empty path. */
export type ServiceWords = Readonly<Record<string, string>>

const wordsOf = (error: unknown): ServiceWords => {
  if (!(error instanceof IntegrityError) || !error.isAnswer || error.kind === 'unauthorized') return {}
  if (error.details.length === 0) return { '': error.message }
  return Object.fromEntries(error.details.map(({ path, message }) => [path, message]))
}

/** The words for a field or for a part of it: `scopes` has those of `scopes.2`. */
export const wordsAt = (words: ServiceWords, field: string): string | undefined =>
  Object.entries(words).find(([path]) => path === field || path.startsWith(`${field}.`))?.[1]

export interface Form extends Write {
  readonly words: ServiceWords
}

/** A write whose refusal is shown in the service's own words. */
export const useForm = (...changes: readonly ReadId[]): Form => {
  const [words, setWords] = useState<ServiceWords>({})
  const { busy, problem, write } = useWrite(...changes)
  return {
    ...{ busy, problem, words },
    write: (act) =>
      write(async () => {
        setWords({})
        try {
          await act()
        } catch (error) {
          setWords(wordsOf(error))
          throw error
        }
      }),
  }
}
