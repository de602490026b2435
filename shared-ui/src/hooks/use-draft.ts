import { useReducer, useState } from 'react'
import { newRandomId } from '../browser/link-page.ts'
import { Draft, type DraftStorage, type Words } from '../session/draft.ts'

export interface DraftInHand<W extends Words> {
  readonly words: W
  readonly isEmpty: boolean
  readonly change: (part: Partial<W>) => void
  /** The same for the same words, so that they arrive once. */
  readonly once: () => string
  readonly clear: () => void
}

/**
 * Words that outlive a failed attempt, and a reload where `storage` does. `name`, `empty` and `storage` are those of the first
 * time.
 */
export const useDraft = <W extends Words>(
  name: string,
  empty: W,
  storage: DraftStorage = sessionStorage,
): DraftInHand<W> => {
  const [draft] = useState(() => new Draft(storage, name, empty, newRandomId))
  const [, redraw] = useReducer((count: number) => count + 1, 0)
  return {
    words: draft.words,
    isEmpty: draft.isEmpty,
    change: (part) => {
      draft.change(part)
      redraw()
    },
    once: () => draft.once(),
    clear: () => {
      draft.clear()
      redraw()
    },
  }
}
