import { ServiceError, type secondStepBody, secondStepTries } from '@integrity/protocol'
import type * as z from 'zod'
import type { Needs } from '../../../../kernel/call.ts'
import type { Caller, IssuedTokens } from '../../../../kernel/sign-ins.ts'
import { hashSecret } from '../../../../platform/crypto/secrets.ts'
import { lockPerson, noteLanguage, personOf } from '../../../organisation/people/people.service.ts'
import { forgetAttempts } from '../sign-ins/login.service.ts'
import { auditSignIn, beginSignIn } from '../sign-ins/sign-ins.service.ts'
import { notePassword, refusePassword } from '../single-sign-on/sso-demand.service.ts'
import { whereItCounts } from '../single-sign-on/vouching.service.ts'
import { tellOfFactor } from './factor-news.service.ts'
import { signedCounter } from './passkeys.model.ts'
import { hashOfCode } from './recovery-codes.model.ts'
import { codeIsGood, spendCode } from './recovery-codes.store.ts'
import { listFactors, moveCounter } from './second-factors.store.ts'
import { endStep, findStep, type SecondStep, takeTry } from './second-steps.store.ts'
import { checkCode, type RightCode, spendRightCode, type TriedFrom } from './totp.service.ts'

type Given = z.output<typeof secondStepBody>

const refused = (reason: 'wrong' | 'begin_again', words: string) =>
  new ServiceError('unauthorized', words, { headers: { 'WWW-Authenticate': 'Bearer' }, extra: { reason } })
const wrong = () => refused('wrong', 'the code or the passkey is wrong, or was already used')
const beginAgain = () => refused('begin_again', 'this sign-in is over; begin again with the password')

type Proof =
  | ({ readonly kind: 'totp' } & RightCode)
  | { readonly kind: 'passkey'; readonly factorId: string; readonly from: number; readonly to: number }
  | { readonly kind: 'recovery_code'; readonly codeHash: string }
export interface ProvenStep {
  readonly step: SecondStep
  readonly proof: Proof
}

/** A known device is named by a sign-in of it, strangers by their address. */
const triedFrom = ({ place }: SecondStep): TriedFrom => (place.startsWith('pss_') ? { device: place } : 'strangers')

type Looks = Needs<'clock' | 'config' | 'db' | 'failures' | 'keyring' | 'reader' | 'signInTurns'> &
  Pick<Caller, 'address'>

const rightProof = async (call: Looks, step: SecondStep, given: Given): Promise<Proof | undefined> => {
  const { userId } = step
  if (given.recoveryCode !== undefined) {
    const codeHash = hashOfCode(given.recoveryCode)
    return (await codeIsGood(call.reader, userId, codeHash)) ? { kind: 'recovery_code', codeHash } : undefined
  }
  const factors = await listFactors(call.reader, userId)
  const { passkey, code } = given
  if (passkey) {
    const factor = factors.find(({ credentialId }) => credentialId === passkey.id)
    const to = factor && (await signedCounter(call.config.baseUrl, passkey, step.passkeyChallenge, factor))
    return factor && to !== undefined ? { kind: 'passkey', factorId: factor.id, from: factor.counter, to } : undefined
  }
  const app = factors.find(({ kind }) => kind === 'totp')
  const right = app && (await checkCode(call, { factor: app, from: triedFrom(step), code: code ?? '' }))
  return right && { kind: 'totp', ...right }
}

/** Looks at the proof of a second step, before any transaction. Each look takes one of its tries, and counts where it may be a guess. */
export const proveSecondStep = async (call: Looks, given: Given): Promise<ProvenStep> => {
  const tokenHash = hashSecret(given.challengeToken)
  const step = await findStep(call.reader, tokenHash)
  if (!step || step.expiresAt <= call.clock.now()) throw beginAgain()
  const look = async (): Promise<ProvenStep> => {
    if (!(await call.db.transact((tx) => takeTry(tx, tokenHash, secondStepTries)))) throw beginAgain()
    const proof = await rightProof(call, step, given)
    if (!proof) throw wrong()
    return { step, proof }
  }
  if (triedFrom(step) !== 'strangers') return look()
  // Turns of their own: a directory that is slow to answer keeps nobody's second step waiting.
  return call.signInTurns.run(`second step ${call.address}`, () => call.failures.guessPassword(call.address, look))
}

/** Takes the proof, which works once. */
const spend = (call: Needs<'clock' | 'tx'>, step: SecondStep, proof: Proof): Promise<boolean> => {
  const { userId } = step
  const now = call.clock.now()
  if (proof.kind === 'totp') return spendRightCode(call, { userId, from: triedFrom(step), right: proof })
  if (proof.kind === 'passkey') return moveCounter(call.tx, proof.factorId, proof, now)
  return spendCode(call.tx, userId, proof.codeHash, now)
}

/** Signs in who has proved both steps. */
export const finishSignIn = async (
  call: Parameters<typeof beginSignIn>[0] & Needs<'config' | 'jobs'>,
  { proven: { step, proof }, locale }: { readonly proven: ProvenStep; readonly locale: string | undefined },
): Promise<{ userId: string; onlyIn: string | null; tokens: IssuedTokens }> => {
  const { tx } = call
  const { userId, place, vouchedBy, portalSessionId, provider } = step
  const vouched =
    vouchedBy === null || portalSessionId === null ? undefined : { orgId: vouchedBy, portalSessionId, provider }
  await lockPerson(call, userId)
  if (!(await endStep(tx, step.tokenHash))) throw beginAgain()
  if (!(await spend(call, step, proof))) throw wrong()
  const person = await personOf({ reader: tx }, userId)
  if (person && !vouched) {
    await forgetAttempts(call, { email: person.email, place })
    // It may be required since the password was given.
    await refusePassword(call, person)
    await notePassword(call, person)
  }
  await noteLanguage(call, { userId, locale })
  if (proof.kind === 'recovery_code') {
    await auditSignIn(call, { userId, action: 'user.recovery_code_used', portalSessionId: userId })
    await tellOfFactor(call, { userId, news: 'recovery_code_used', locale })
  }
  const onlyIn = await whereItCounts({ reader: tx }, { userId, vouchedBy })
  return { userId, onlyIn, tokens: await beginSignIn(call, { userId, vouched }) }
}
