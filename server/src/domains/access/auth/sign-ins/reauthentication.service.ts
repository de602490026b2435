import { type accountProof, ServiceError } from '@integrity/protocol'
import type * as z from 'zod'
import type { By, Needs } from '../../../../kernel/call.ts'
import type { ActorOf } from '../../../../kernel/identity/actor.ts'
import { loginOf } from '../../../organisation/people/people.service.ts'
import { listFactors } from '../second-factor/second-factors.store.ts'
import { checkCode, type RightCode, spendRightCode } from '../second-factor/totp.service.ts'
import { forgetAttempts, proveOwnPassword } from './login.service.ts'

type Given = Pick<z.output<typeof accountProof>, 'password' | 'code'>

/** How whoever is signed in showed again that the account is theirs. */
export type FreshProof =
  | { readonly kind: 'password'; readonly passwordHash: string | null }
  | ({ readonly kind: 'code' } & RightCode)

/** Not `unauthorized`, which is for a sign-in that is over. */
const wrong = () =>
  new ServiceError('forbidden', 'the password or the code is wrong', { extra: { reason: 'wrong_proof' } })

/** Looks at a password or a code of who is signed in, before any transaction. A stolen cookie alone changes nothing. */
export const proveAnew = async (
  call: By<ActorOf<'account'>> & Parameters<typeof proveOwnPassword>[0] & Needs<'keyring'>,
  { password, code }: Given,
): Promise<FreshProof> => {
  const { actor } = call
  if (password !== undefined) {
    const login = await proveOwnPassword(call, { account: actor, password })
    if (login?.id !== actor.id) throw wrong()
    return { kind: 'password', passwordHash: login.passwordHash }
  }
  const app = (await listFactors(call.reader, actor.id)).find(({ kind }) => kind === 'totp')
  const right =
    app && (await checkCode(call, { factor: app, from: { device: actor.portalSessionId }, code: code ?? '' }))
  if (!right) throw wrong()
  return { kind: 'code', ...right }
}

/** The proof still holds; a code is taken by it. Call with the account locked. */
export const spendProof = async (
  call: By<ActorOf<'account'>> & Needs<'clock' | 'tx'>,
  proof: FreshProof,
): Promise<void> => {
  const { tx, actor } = call
  if (proof.kind === 'code') {
    if (await spendRightCode(call, { userId: actor.id, from: { device: actor.portalSessionId }, right: proof })) return
    throw wrong()
  }
  if ((await loginOf({ reader: tx }, actor.email))?.passwordHash !== proof.passwordHash) throw wrong()
  await forgetAttempts(call, { email: actor.email, place: actor.portalSessionId })
}
