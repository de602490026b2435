import { randomBytes } from 'node:crypto'
import { invalid, maxPasskeys, type passkeyAdd } from '@integrity/protocol'
import type * as z from 'zod'
import type { Needs } from '../../../../kernel/call.ts'
import { lockPerson, personOf } from '../../../organisation/people/people.service.ts'
import { type FreshProof, proveAnew, spendProof } from '../sign-ins/reauthentication.service.ts'
import {
  type Added,
  addFactor,
  blank,
  type Changes,
  conflict,
  type Own,
  setupEnd,
  usableSetup,
} from './adding.service.ts'
import { creationOptions, type NewPasskey, newPasskeyOf } from './passkeys.model.ts'
import { credentialExists, type FactorSetup, listFactors, putSetup } from './second-factors.store.ts'

const challengeContext = (factorId: string): string => `passkey:${factorId}`

export interface BegunPasskey {
  readonly proof: FreshProof
  readonly challenge: string
  readonly options: Awaited<ReturnType<typeof creationOptions>>
}

/** Looks at the proof and makes what the browser is to be asked for, before any transaction. */
export const preparePasskey = async (
  call: Parameters<typeof proveAnew>[0] & Needs<'config'>,
  given: Parameters<typeof proveAnew>[1],
): Promise<BegunPasskey> => {
  const { actor, config, reader } = call
  const proof = await proveAnew(call, given)
  const name = (await personOf(call, actor.id))?.name ?? null
  const challenge = randomBytes(32).toString('base64url')
  const owner = { userId: actor.id, email: actor.email, name }
  const options = await creationOptions(config.baseUrl, owner, challenge, await listFactors(reader, actor.id))
  return { proof, challenge, options }
}

const refuseTooMany = async (call: Own & Needs<'tx'>): Promise<void> => {
  const passkeys = (await listFactors(call.tx, call.actor.id)).filter(({ kind }) => kind === 'passkey')
  if (passkeys.length >= maxPasskeys) throw conflict('too_many', `an account has ${maxPasskeys} passkeys at most`)
}

export const beginPasskey = async (call: Changes & Needs<'keyring'>, { proof, challenge, options }: BegunPasskey) => {
  const { tx, actor } = call
  await lockPerson(call, actor.id)
  await spendProof(call, proof)
  await refuseTooMany(call)
  const factorId = call.newId('fac')
  const sealed = call.keyring.wrap(Buffer.from(challenge), challengeContext(factorId))
  const expiresAt = setupEnd(call)
  await putSetup(tx, actor.id, 'passkey', { factorId, sealed, expiresAt })
  return { options, expiresAt }
}

export interface MadePasskey {
  readonly setup: FactorSetup
  readonly passkey: NewPasskey
}

/** Looks at what the browser made, before any transaction. */
export const checkPasskey = async (
  call: Own & Needs<'clock' | 'config' | 'keyring' | 'reader'>,
  { credential }: z.output<typeof passkeyAdd>,
): Promise<MadePasskey> => {
  const setup = await usableSetup(call, 'passkey')
  const challenge = call.keyring.unwrap(setup.sealed, challengeContext(setup.factorId)).toString()
  const passkey = await newPasskeyOf(call.config.baseUrl, credential, challenge)
  if (!passkey) throw invalid('credential', 'is no passkey that was made for this account on a page of this service')
  return { setup, passkey }
}

export const addPasskey = async (
  call: Changes,
  {
    body: { label, locale },
    made: { setup, passkey },
  }: { readonly body: z.output<typeof passkeyAdd>; readonly made: MadePasskey },
): Promise<Added> => {
  const { tx, actor } = call
  await lockPerson(call, actor.id)
  await refuseTooMany(call)
  if (await credentialExists(tx, passkey.credentialId)) throw conflict('exists', 'this passkey is in use already')
  const id = { id: setup.factorId, userId: actor.id, kind: 'passkey' } as const
  const factor = { ...blank, ...id, ...passkey, label: label ?? null, createdAt: call.clock.now() }
  return addFactor(call, { factor, setup, locale })
}
