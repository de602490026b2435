import type { By, Needs } from '../../../../kernel/call.ts'
import type { ActorOf } from '../../../../kernel/identity/actor.ts'
import { lockPerson, personOf, renamePerson } from '../../../organisation/people/people.service.ts'
import { auditSignIn } from './sign-ins.service.ts'

type Own = By<ActorOf<'account'>> & Needs<'audit' | 'reader' | 'tx'>

/** How the account's person is called from now on. The name that they have already changes nothing. */
export const renameSelf = async (call: Own, { name }: { readonly name: string }): Promise<void> => {
  const { id: userId } = call.actor
  await lockPerson(call, userId)
  const person = await personOf({ reader: call.tx }, userId)
  if (!person || person.name === name) return
  await renamePerson(call, { person, name })
  await auditSignIn(call, { userId, action: 'user.renamed', portalSessionId: userId })
}
