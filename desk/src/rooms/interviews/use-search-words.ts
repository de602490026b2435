import { useState } from 'react'
import { useDesk } from '../../parts/desk-context.ts'

/** What is searched: kept while the page is open, as words about a candidate are, and never in an address. */
export const useSearchWords = (): readonly [words: string, search: (words: string) => void] => {
  const { org, person, pageMemory } = useDesk()
  const key = `interviews searched ${person.user.id} ${org.id}`
  const [words, setWords] = useState(() => pageMemory.getItem(key) ?? '')
  const search = (wanted: string): void => {
    if (wanted === '') pageMemory.removeItem(key)
    else pageMemory.setItem(key, wanted)
    setWords(wanted)
  }
  return [words, search]
}
