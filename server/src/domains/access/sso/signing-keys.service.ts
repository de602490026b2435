import { ServiceError } from '@integrity/protocol'
import type { By, Needs } from '../../../kernel/call.ts'
import type { ActorOf } from '../../../kernel/identity/actor.ts'
import { newSelfSigned } from '../../../platform/crypto/self-signed.ts'
import { deleteSigningKey, findSigningKey, insertSigningKey, type SigningKeyRow } from './signing-keys.store.ts'
import type { SamlSettings } from './sso.types.ts'

const context = (orgId: string): string => `sso-signing:${orgId}`
const lifeMs = 10 * 365 * 86_400_000

/** What the settings of a connection say of it; a directory is sent nothing that is signed. */
interface Wanted {
  readonly signRequests?: boolean | undefined
}

/** Before the transaction: a key, where one is wanted and there is none. */
export const prepareSigningKey = async (
  call: By<ActorOf<'user'>> & Needs<'clock' | 'keyring' | 'reader'>,
  { signRequests }: Wanted,
): Promise<SigningKeyRow | undefined> => {
  const { orgId } = call.actor
  if (!signRequests || (await findSigningKey(call.reader, orgId))) return undefined
  const now = call.clock.now()
  const { key, certificate } = await newSelfSigned('single sign-on requests', now, now + lifeMs)
  return { wrappedKey: call.keyring.wrap(Buffer.from(key), context(orgId)), certificate }
}

/** In the transaction: keeps the key that there is, or the one that was made. Who signs no more, and again, has another. */
export const settleSigningKey = async (
  { tx, actor }: By<ActorOf<'user'>> & Needs<'tx'>,
  { wanted: { signRequests }, made }: { readonly wanted: Wanted; readonly made: SigningKeyRow | undefined },
): Promise<void> => {
  const { orgId } = actor
  if (!signRequests) return deleteSigningKey(tx, orgId)
  if (await findSigningKey(tx, orgId)) return
  if (!made)
    throw new ServiceError('conflict', 'the connection was changed at the same moment: try again', {
      extra: { reason: 'changed_meanwhile' },
    })
  await insertSigningKey(tx, orgId, made)
}

/** The private key, PEM; undefined where requests are not signed. */
export const signingKeyOf = async (
  call: Needs<'keyring' | 'reader'>,
  { orgId, settings: { signRequests } }: { readonly orgId: string; readonly settings: SamlSettings },
): Promise<string | undefined> => {
  const row = signRequests ? await findSigningKey(call.reader, orgId) : undefined
  return row && call.keyring.unwrap(row.wrappedKey, context(orgId)).toString('utf8')
}
