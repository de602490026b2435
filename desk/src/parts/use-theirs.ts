import type { DraftInHand } from '@integrity/shared-ui/hooks/use-draft'
import type { Words } from '@integrity/shared-ui/session/draft'
import { useState } from 'react'
import { meanwhile } from './use-attempt.ts'
import { isChanged } from './use-seen.ts'

/** What was typed when somebody else turned out to have saved, and what they saved, in the words of the same form. */
export interface Met<W extends Words = Words> {
  readonly mine: W
  readonly theirs: W
}

export interface Theirs<W extends Words> {
  /** Undefined where nobody else has saved since. */
  readonly met: Met<W> | undefined
  /** Somebody else has saved these: what this writer did not touch follows them, the rest waits for a choice. */
  readonly meet: (theirs: W) => typeof meanwhile
  /**
   * Saves with the version that the writer has seen. Where the service says that it is another one by now, the form meets
   * `latest`, and nothing is saved.
   */
  readonly guard: (save: () => Promise<unknown>, latest: () => Promise<W>) => Promise<unknown>
  /** This writer's are saved. */
  readonly settle: (saved: W) => void
}

/** The fields of a form that two people filled in differently. */
export const fieldsThatDiffer = <W extends Words>({ mine, theirs }: Met<W>, names: readonly string[]): string[] =>
  names.filter((name) => (mine[name] ?? '') !== (theirs[name] ?? ''))

/** What a form says once its writer has met `theirs`: theirs wherever nothing was changed of what the form began with. */
export const followed = <W extends Words>(begun: W, mine: W, theirs: W): Words =>
  Object.fromEntries(Object.entries(theirs).filter(([name]) => mine[name] === begun[name]))

/**
 * A form over something that somebody else may save while it is filled in. `found`: what the form began with; `mark`: the
 * word of it that says which state of the whole the writer has seen.
 */
export const useTheirs = <W extends Words>(
  { words, change }: Pick<DraftInHand<W>, 'words' | 'change'>,
  found: W,
  mark: keyof W & string,
): Theirs<W> => {
  const [begun, setBegun] = useState(found)
  const [met, setMet] = useState<Met<W>>()
  const meet = (theirs: W): typeof meanwhile => {
    setMet({ mine: words, theirs })
    setBegun(theirs)
    change({ ...followed(begun, words, theirs), [mark]: theirs[mark] } as Partial<W>)
    return meanwhile
  }
  const guard = async (save: () => Promise<unknown>, latest: () => Promise<W>) => {
    try {
      return await save()
    } catch (error) {
      if (!isChanged(error)) throw error
      return meet(await latest())
    }
  }
  const settle = (saved: W) => {
    setMet(undefined)
    setBegun(saved)
  }
  return { met, meet, guard, settle }
}
