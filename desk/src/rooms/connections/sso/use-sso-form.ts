import { type DraftInHand, useDraft } from '@integrity/shared-ui/hooks/use-draft'
import { useDesk } from '../../../parts/desk-context.ts'
import { type Attempt, useAttempt } from '../../../parts/use-attempt.ts'
import { type Met, useTheirs } from '../../../parts/use-theirs.ts'
import type { Connection, ShownConnection, SsoBody } from './sso-words.ts'

interface Form<W> {
  readonly draft: DraftInHand<W & Readonly<Record<string, string>>>
  readonly attempt: Attempt
  readonly save: () => void
  /** What somebody else has saved since. */
  readonly met: Met | undefined
}

interface Options<W> {
  readonly kind: Connection['kind']
  readonly words: W & Readonly<Record<string, string>>
  /** What the form would say of a connection. */
  readonly wordsOf: (shown: ShownConnection) => W & Readonly<Record<string, string>>
  readonly bodyOf: (words: W) => SsoBody
  readonly onSaved: () => void
}

/** Neither certificates nor secrets come back from the service. */
const secretsIn = (words: Readonly<Record<string, string>>) =>
  Object.fromEntries(
    ['certificates', 'clientSecret', 'bindPassword'].flatMap((name) =>
      words[name] === undefined ? [] : [[name, words[name]]],
    ),
  )

/** What is typed stays while the page is open. Whoever changed the connection meanwhile is not overwritten unseen. */
export const useSsoForm = <W extends { readonly base: string }>({
  kind,
  words,
  wordsOf,
  bodyOf,
  onSaved,
}: Options<W>): Form<W> => {
  const { own, org, person, pageMemory } = useDesk()
  const draft = useDraft(`sso ${kind} ${person.user.id} ${org.id}`, words, pageMemory)
  const attempt = useAttempt('portal.sso.get', 'portal.orgs.get')
  const theirs = useTheirs(draft, words, 'base')
  const params = { orgId: org.id }
  const save = () =>
    attempt.attempt(() => {
      const put = async () => {
        await own.call('portal.sso.put', { params, body: bodyOf(draft.words) })
        draft.clear()
        onSaved()
      }
      return theirs.guard(put, async () => {
        const latest = wordsOf((await own.call('portal.sso.get', { params })).data)
        // What the service shows to nobody stays as it was typed.
        return { ...latest, ...secretsIn(draft.words) }
      })
    })
  return { draft, attempt, met: theirs.met, save }
}
