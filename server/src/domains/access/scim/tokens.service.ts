import { secretPrefixes, wirePaths } from '@integrity/protocol'
import type { By, Needs } from '../../../kernel/call.ts'
import type { ActorOf } from '../../../kernel/identity/actor.ts'
import { newSecret } from '../../../platform/crypto/secrets.ts'
import { checkHoldsEverything } from '../../organisation/people/guards.policy.ts'
import { lockGiver } from '../../organisation/people/guards.service.ts'
import { deleteToken, findTokenSince, putToken } from './tokens.store.ts'

type Call = By<ActorOf<'user'>> & Needs<'audit' | 'clock' | 'config' | 'credentials' | 'newId' | 'tx'>

const note = async (call: Call, action: 'scim.token_issued' | 'scim.token_revoked'): Promise<void> => {
  const { tx, actor } = call
  const { orgId } = actor
  await call.audit.append({ tx, scope: { orgId }, actor }, { action, target: orgId })
  tx.afterCommit(() => call.credentials.clear())
}

/**
 * An organisation has one token: a new one takes the place of the old, which stops at once. It reaches members as far as whoever
 * issued it did then: owners only where that was an owner.
 */
export const issueScimToken = async (call: Call) => {
  const giver = await lockGiver(call, 'sso.manage')
  checkHoldsEverything(giver)
  const { token, hash } = newSecret(secretPrefixes.scim)
  const now = call.clock.now()
  await putToken(call.tx, call.actor.orgId, {
    id: call.newId('sct'),
    hash,
    now,
    reachesOwners: giver.role === 'owner',
  })
  await note(call, 'scim.token_issued')
  return { token, baseUrl: `${call.config.baseUrl}${wirePaths.scim}`, createdAt: new Date(now).toISOString() }
}

/** Turning off what is off changes nothing, and is noted all the same. */
export const revokeScimToken = async (call: Call): Promise<void> => {
  await deleteToken(call.tx, call.actor.orgId)
  await note(call, 'scim.token_revoked')
}

/** Since when an organisation has the token that works now; undefined where it has none. */
export const scimTokenSince = (call: Needs<'reader'>, orgId: string): Promise<number | undefined> =>
  findTokenSince(call.reader, orgId)
