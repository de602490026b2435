import { type DraftInHand, useDraft } from '@integrity/shared-ui/hooks/use-draft'
import type { Words } from '@integrity/shared-ui/session/draft'
import { useDesk } from './desk-context.ts'

interface SettingsDraft<W extends Words> extends DraftInHand<W> {
  /** The service has saved these: the form goes on with them, and begins with the service's own the next time. */
  readonly settle: (saved: W) => void
}

/** Settings that are being changed: they stay through failures and other pages of the desk, until they are saved. */
export const useSettingsDraft = <W extends Words>(name: string, words: W): SettingsDraft<W> => {
  const { person, pageMemory } = useDesk()
  const key = `${name} ${person.user.id}`
  const draft = useDraft(key, words, pageMemory)
  const settle = (saved: W) => {
    draft.change(saved)
    pageMemory.removeItem(`draft ${key}`)
  }
  return { ...draft, settle }
}
