import { mailAddressOf, ServiceError, scopes } from '@integrity/protocol'
import { inTx, type Needs } from '../../../kernel/call.ts'
import { operator } from '../../../kernel/identity/actor.ts'
import { mintApiKey } from '../api-keys/api-keys.service.ts'
import { hashNewPassword } from '../people/passwords.service.ts'
import { addUser, isEmailTaken } from '../people/people.service.ts'
import { foundOrg } from './founding.service.ts'

export interface BootstrapInput {
  readonly org: string
  readonly email: string
  readonly password: string
}

type Call = Needs<'audit' | 'clock' | 'config' | 'db' | 'keyring' | 'newId'>

/** Makes an organisation with its owner and one key with every scope for each environment. */
export const bootstrapOrg = async (call: Call, input: BootstrapInput) => {
  const email = mailAddressOf(input.email)
  if (email === undefined) throw new ServiceError('invalid_request', `${input.email} is not an e-mail address`)
  if (input.org.trim().length === 0 || input.org.length > 200)
    throw new ServiceError('invalid_request', 'the name of the organisation needs 1 to 200 characters')
  const passwordHash = await hashNewPassword(input.password, { email, organisation: input.org })
  return bootstrapWithHash(call, { org: input.org.trim(), email, passwordHash })
}

/** Makes an organisation for an owner whose password is already hashed. */
export const bootstrapWithHash = (
  call: Call,
  { org: name, email, passwordHash }: { org: string; email: string; passwordHash: string },
) =>
  call.db.transact(async (tx) => {
    if (await isEmailTaken({ reader: tx }, email)) throw new ServiceError('conflict', `${email} already has an account`)
    const userId = call.newId('usr')
    await addUser({ tx, reader: tx }, { id: userId, email, passwordHash, now: call.clock.now() })
    const { org } = await foundOrg({ ...call, tx, actor: operator }, { name, ownerId: userId })
    const orgId = org.id
    const live = await mintApiKey(inTx(call, tx), {
      orgId,
      actor: operator,
      input: {
        label: 'first live key',
        environment: 'live',
        scopes,
      },
    })
    const sandbox = await mintApiKey(inTx(call, tx), {
      orgId,
      actor: operator,
      input: {
        label: 'first sandbox key',
        environment: 'sandbox',
        scopes,
      },
    })
    return { orgId, userId, liveKey: live.token, sandboxKey: sandbox.token }
  })
