import { invalid, type totpConfirm } from '@integrity/protocol'
import type * as z from 'zod'
import type { Needs } from '../../../../kernel/call.ts'
import { lockPerson } from '../../../organisation/people/people.service.ts'
import { type FreshProof, spendProof } from '../sign-ins/reauthentication.service.ts'
import { type Added, addFactor, blank, type Changes, conflict, setupEnd, usableSetup } from './adding.service.ts'
import { listFactors, putSetup } from './second-factors.store.ts'
import { newTotpSecret, stepOfCode, totpBase32, totpUri } from './totp.model.ts'
import { totpContext } from './totp.service.ts'

const issuer = 'Interview Integrity'

/** The secret of an authenticator app, which counts once one of its codes has confirmed it. */
export const beginTotp = async (call: Changes & Needs<'keyring'>, proof: FreshProof) => {
  const { tx, actor } = call
  await lockPerson(call, actor.id)
  await spendProof(call, proof)
  if ((await listFactors(tx, actor.id)).some(({ kind }) => kind === 'totp'))
    throw conflict('exists', 'the account has an authenticator app; remove it first')
  const factorId = call.newId('fac')
  const secret = newTotpSecret()
  const sealed = call.keyring.wrap(secret, totpContext(factorId))
  const expiresAt = setupEnd(call)
  await putSetup(tx, actor.id, 'totp', { factorId, sealed, expiresAt })
  return { secret: totpBase32(secret), uri: totpUri(secret, issuer, actor.email), expiresAt }
}

/** Adds the authenticator app that was begun; the code that confirms it is taken. */
export const confirmTotp = async (
  call: Changes & Needs<'keyring'>,
  { code, label, locale }: z.output<typeof totpConfirm>,
): Promise<Added> => {
  const { tx, actor } = call
  await lockPerson(call, actor.id)
  const setup = await usableSetup({ ...call, reader: tx }, 'totp')
  const { factorId: id, sealed: sealedSecret } = setup
  const now = call.clock.now()
  const lastStep = stepOfCode(call.keyring.unwrap(sealedSecret, totpContext(id)), code, now)
  if (lastStep === undefined) throw invalid('code', 'is not what the authenticator app shows now')
  const factor = { ...blank, id, userId: actor.id, kind: 'totp', sealedSecret, lastStep } as const
  return addFactor(call, { factor: { ...factor, label: label ?? null, createdAt: now }, setup, locale })
}
