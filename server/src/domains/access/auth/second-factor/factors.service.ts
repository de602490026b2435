import { type factorRemove, notFound } from '@integrity/protocol'
import type * as z from 'zod'
import type { Needs } from '../../../../kernel/call.ts'
import { deleteInPages } from '../../../../kernel/jobs/delete-in-pages.ts'
import {
  lockPerson,
  secondFactorIsOn,
  secondFactorIsRequiredAcrossOrgs,
  switchSecondFactor,
} from '../../../organisation/people/people.service.ts'
import { type FreshProof, spendProof } from '../sign-ins/reauthentication.service.ts'
import { auditSignIn } from '../sign-ins/sign-ins.service.ts'
import { type Changes, conflict, makeCodes, type Own } from './adding.service.ts'
import { tellOfFactor } from './factor-news.service.ts'
import { countCodes, deleteCodes } from './recovery-codes.store.ts'
import { deleteFactor, deleteOldSetups, listFactors } from './second-factors.store.ts'
import { deleteOldSteps } from './second-steps.store.ts'

export const readFactors = async (call: Own & Needs<'reader'>) => {
  const { reader, actor } = call
  return {
    factors: await listFactors(reader, actor.id),
    codesLeft: await countCodes(reader, actor.id),
    required: await secondFactorIsRequiredAcrossOrgs(call, actor.id),
  }
}

/** A new set of recovery codes in place of those before. */
export const renewCodes = async (call: Changes, proof: FreshProof): Promise<string[]> => {
  const { id: userId } = call.actor
  await lockPerson(call, userId)
  await spendProof(call, proof)
  if (!(await secondFactorIsOn({ reader: call.tx }, userId)))
    throw conflict('no_factor', 'recovery codes stand in for a second factor; add one first')
  const codes = await makeCodes(call, userId)
  await auditSignIn(call, { userId, action: 'user.recovery_codes_made', portalSessionId: userId })
  return codes
}

/** Removes a factor; with the last one the recovery codes go. */
export const removeFactor = async (
  call: Changes,
  {
    id,
    proof,
    body: { locale },
  }: { readonly id: string; readonly proof: FreshProof; readonly body: z.output<typeof factorRemove> },
): Promise<void> => {
  const { tx, actor } = call
  const { id: userId } = actor
  await lockPerson(call, userId)
  await spendProof(call, proof)
  const removed = (await listFactors(tx, userId)).find((factor) => factor.id === id)
  if (!removed || !(await deleteFactor(tx, userId, id))) throw notFound('factor')
  const isLast = (await listFactors(tx, userId)).length === 0
  if (isLast) {
    await switchSecondFactor(call, { userId, on: false })
    await deleteCodes(tx, userId)
  }
  await auditSignIn(call, { userId, action: 'user.factor_removed', portalSessionId: id })
  await tellOfFactor(call, { userId, news: isLast ? 'last_removed' : `${removed.kind}_removed`, locale })
}

/** Deletes factors that were begun and second steps, once their time is over. */
export const purgeUnfinished = async (call: Needs<'clock' | 'db'>): Promise<void> => {
  await deleteInPages(call, (tx, limit) => deleteOldSetups(tx, call.clock.now(), limit))
  await deleteInPages(call, (tx, limit) => deleteOldSteps(tx, call.clock.now(), limit))
}
