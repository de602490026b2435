import { factorSetupMinutes, ServiceError } from '@integrity/protocol'
import type { By, Needs } from '../../../../kernel/call.ts'
import type { ActorOf } from '../../../../kernel/identity/actor.ts'
import { secondFactorIsOn, switchSecondFactor } from '../../../organisation/people/people.service.ts'
import { auditSignIn, endSignInsOf } from '../sign-ins/sign-ins.service.ts'
import { tellOfFactor } from './factor-news.service.ts'
import { hashOfCode, newCodes } from './recovery-codes.model.ts'
import { countCodes, deleteCodes, insertCodes } from './recovery-codes.store.ts'
import { endSetup, type FactorRow, type FactorSetup, findSetup, insertFactor } from './second-factors.store.ts'

export type Own = By<ActorOf<'account'>>
export type Changes = Own & Needs<'audit' | 'clock' | 'credentials' | 'jobs' | 'newId' | 'reader' | 'tx'>

export const conflict = (reason: string, words: string) => new ServiceError('conflict', words, { extra: { reason } })
const notBegun = () => conflict('not_begun', 'this was never begun, or was begun too long ago; begin again')

export const makeCodes = async (call: Needs<'clock' | 'tx'>, userId: string): Promise<string[]> => {
  const codes = newCodes()
  await deleteCodes(call.tx, userId)
  await insertCodes(call.tx, userId, codes.map(hashOfCode), call.clock.now())
  return codes
}

/** Until when a factor that is begun may be finished. */
export const setupEnd = (call: Needs<'clock'>): number => call.clock.now() + factorSetupMinutes * 60_000

export interface Added {
  readonly factor: FactorRow
  readonly recoveryCodes: string[] | null
}

export const blank = {
  label: null,
  sealedSecret: null,
  lastStep: null,
  credentialId: null,
  publicKey: null,
  transports: null,
  counter: 0,
  lastUsedAt: null,
}

/** Adds a factor. With the first one every sign-in ends that a password alone has made, but the one that has just proved it. */
export const addFactor = async (
  call: Changes,
  {
    factor,
    setup,
    locale,
  }: { readonly factor: FactorRow; readonly setup: FactorSetup; readonly locale: string | undefined },
): Promise<Added> => {
  const { tx, actor } = call
  const { id: userId } = actor
  if (!(await endSetup(tx, userId, setup))) throw notBegun()
  const isFirst = !(await secondFactorIsOn({ reader: tx }, userId))
  await insertFactor(tx, factor)
  if (isFirst) {
    await switchSecondFactor(call, { userId, on: true })
    await endSignInsOf(call, { userId, reason: 'second_factor_added', but: actor.portalSessionId })
  }
  const recoveryCodes = (await countCodes(tx, userId)) === 0 ? await makeCodes(call, userId) : null
  await auditSignIn(call, { userId, action: 'user.factor_added', portalSessionId: factor.id })
  await tellOfFactor(call, { userId, news: `${factor.kind}_added`, locale })
  return { factor, recoveryCodes }
}

export const usableSetup = async (
  call: Own & Needs<'clock' | 'reader'>,
  kind: FactorRow['kind'],
): Promise<FactorSetup> => {
  const setup = await findSetup(call.reader, call.actor.id, kind)
  if (!setup || setup.expiresAt <= call.clock.now()) throw notBegun()
  return setup
}
