import { useDraft } from '@integrity/shared-ui/hooks/use-draft'
import { noRange, type Range } from '@integrity/shared-ui/player/range'
import { useDesk } from '../../parts/desk-context.ts'
import type { Panel } from '../../player-ui/use-commands.ts'

export interface WrittenPlace {
  readonly panel: Panel
  readonly range: Range
}

export interface KeptPlace {
  /** Of a note that was begun and not sent; undefined where there is none. */
  readonly place: WrittenPlace | undefined
  readonly keep: (place: WrittenPlace) => void
  readonly clear: () => void
}

const numberOf = (word: string): number | undefined => (word === '' ? undefined : Number(word))
const wordOf = (ms: number | undefined): string => (ms === undefined ? '' : String(ms))

/** Which place a note is about, kept as long as its words: through a reload and a new sign-in of the same person. */
export const useKeptPlace = (id: string): KeptPlace => {
  const { person } = useDesk()
  const { words, change, clear } = useDraft(`place ${person.user.id} ${id}`, { atMs: '', fromMs: '', toMs: '' })
  const atMs = numberOf(words.atMs)
  return {
    place:
      atMs === undefined
        ? undefined
        : {
            panel: { kind: 'note', atMs, momentId: undefined },
            range: { ...noRange, fromMs: numberOf(words.fromMs), toMs: numberOf(words.toMs) },
          },
    keep: ({ panel, range }) =>
      change({ atMs: String(panel.atMs), fromMs: wordOf(range.fromMs), toMs: wordOf(range.toMs) }),
    clear,
  }
}
