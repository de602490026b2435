import { randomBytes } from 'node:crypto'
import { type secondMethods, secondStepMinutes, secretPrefixes } from '@integrity/protocol'
import type { Needs } from '../../../../kernel/call.ts'
import { newSecret } from '../../../../platform/crypto/secrets.ts'
import type { Vouched } from '../sign-ins/sign-ins.service.ts'
import { requestOptions } from './passkeys.model.ts'
import { countCodes } from './recovery-codes.store.ts'
import { listFactors } from './second-factors.store.ts'
import { deleteStepOfSignIn, insertStep } from './second-steps.store.ts'

/** What the second step of a sign-in is to be given. */
export interface OpenedStep {
  readonly challengeToken: string
  readonly methods: readonly (typeof secondMethods)[number][]
  readonly passkeyOptions: Awaited<ReturnType<typeof requestOptions>> | undefined
  /** Epoch milliseconds. */
  readonly expiresAt: number
}

/** Opens the second step for whoever has given the right password at this place, or is vouched for. */
export const openSecondStep = async (
  call: Needs<'clock' | 'config' | 'tx'>,
  {
    userId,
    place,
    vouched,
  }: { readonly userId: string; readonly place: string; readonly vouched?: Vouched | undefined },
): Promise<OpenedStep> => {
  const { tx, config } = call
  const factors = await listFactors(tx, userId)
  const { token, hash } = newSecret(secretPrefixes.second_step)
  const passkeyChallenge = randomBytes(32).toString('base64url')
  const expiresAt = call.clock.now() + secondStepMinutes * 60_000
  const { orgId: vouchedBy = null, portalSessionId = null, provider = null } = vouched ?? {}
  await insertStep(tx, {
    tokenHash: hash,
    userId,
    place,
    passkeyChallenge,
    vouchedBy,
    portalSessionId,
    provider,
    expiresAt,
  })
  const kinds = new Set(factors.map(({ kind }) => kind))
  const codes = (await countCodes(tx, userId)) > 0
  return {
    challengeToken: token,
    methods: [...kinds, ...(codes ? (['recovery_code'] as const) : [])],
    passkeyOptions: kinds.has('passkey') ? await requestOptions(config.baseUrl, passkeyChallenge, factors) : undefined,
    expiresAt,
  }
}

/** A sign-in that is over while its second step is open never begins. */
export const dropStep = ({ tx }: Needs<'tx'>, portalSessionId: string): Promise<void> =>
  deleteStepOfSignIn(tx, portalSessionId)
