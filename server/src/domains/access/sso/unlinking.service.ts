import { mailAddressOf, notFound } from '@integrity/protocol'
import { inTx, type Needs } from '../../../kernel/call.ts'
import type { AuditActor } from '../../../kernel/identity/actor.ts'
import { lockPeople } from '../../organisation/people/guards.service.ts'
import { loginOf } from '../../organisation/people/people.service.ts'
import { endVouching } from '../auth/single-sign-on/vouching.service.ts'
import { deleteIdentities } from './sign-ins.store.ts'

/**
 * Unlinks an account from an organisation's identity provider or directory: its identities, what it agreed to, and the sign-ins
 * that were vouched for. The membership stays; the next sign-in there links it again, and mails it. Answers how many identities
 * there were.
 */
export const unlinkAccount = (
  call: Needs<'audit' | 'clock' | 'credentials' | 'db' | 'reader'>,
  { orgId, email, actor }: { readonly orgId: string; readonly email: string; readonly actor: AuditActor },
): Promise<number> =>
  call.db.transact(async (tx) => {
    await lockPeople({ tx }, orgId)
    const person = await loginOf({ reader: tx }, mailAddressOf(email) ?? email)
    if (!person) throw notFound('account')
    const identities = await deleteIdentities(tx, orgId, person.id)
    await endVouching(inTx(call, tx), { orgId, userId: person.id })
    const row = { action: 'sso.identity_unlinked', target: person.id, payload: { identities } } as const
    await call.audit.append({ tx, scope: { orgId }, actor }, row)
    return identities
  })
