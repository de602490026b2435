import { type DraftInHand, useDraft } from '@integrity/shared-ui/hooks/use-draft'
import { useDesk } from '../../../parts/desk-context.ts'
import { type Attempt, meanwhile, useAttempt } from '../../../parts/use-attempt.ts'
import type { Connection, SsoBody } from './sso-words.ts'

interface Form<W> {
  readonly draft: DraftInHand<W & Readonly<Record<string, string>>>
  readonly attempt: Attempt
  readonly save: () => void
}

interface Options<W> {
  readonly kind: Connection['kind']
  readonly words: W & Readonly<Record<string, string>>
  readonly bodyOf: (words: W) => SsoBody
  readonly onSaved: () => void
}

/** What is typed stays while the page is open. Whoever changed the connection meanwhile is not overwritten unseen. */
export const useSsoForm = <W extends { readonly base: string }>({
  kind,
  words,
  bodyOf,
  onSaved,
}: Options<W>): Form<W> => {
  const { own, org, person, pageMemory } = useDesk()
  const draft = useDraft(`sso ${kind} ${person.user.id} ${org.id}`, words, pageMemory)
  const attempt = useAttempt('portal.sso.get', 'portal.orgs.get')
  const params = { orgId: org.id }
  const save = () =>
    attempt.attempt(async () => {
      const latest = (await own.call('portal.sso.get', { params })).data.connection?.updatedAt ?? ''
      if (latest !== draft.words.base) {
        draft.change({ base: latest } as Partial<typeof words>)
        return meanwhile
      }
      await own.call('portal.sso.put', { params, body: bodyOf(draft.words) })
      draft.clear()
      onSaved()
      return undefined
    })
  return { draft, attempt, save }
}
