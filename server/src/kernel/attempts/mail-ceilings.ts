import { candidateMailsPerMailbox, mailsPerMailbox, mailsPerOrg } from '@integrity/protocol'
import type { By, Needs } from '../call.ts'
import { rateLimited } from '../rate-limited.ts'
import { countAttempt } from './attempts.store.ts'

const hourMs = 3_600_000

/** Who is written to, and for which organisation. The address is normalised. */
export interface MailTo {
  readonly orgId: string
  readonly email: string
  /** What it is about: a membership, unless it says that the person is a candidate. */
  readonly as?: 'candidate'
}

interface Hit {
  readonly limit: number
  readonly endsAt: number
  readonly of: 'an organisation' | 'an address'
}

type Counts = Needs<'clock' | 'tx'>

const count = async (call: Counts, name: string, limit: number, of: Hit['of']): Promise<Hit | undefined> => {
  const { attempts, endsAt } = await countAttempt(call.tx, name, call.clock.now(), hourMs)
  return attempts > limit ? { limit, endsAt, of } : undefined
}

const hitBy = async (call: Counts, { orgId, email, as }: MailTo, byMember: boolean): Promise<Hit | undefined> => {
  const ofOrg = byMember ? await count(call, `mails of ${orgId}`, mailsPerOrg, 'an organisation') : undefined
  if (ofOrg) return ofOrg
  const [name, limit] = as ? [`mails to a ${as} `, candidateMailsPerMailbox] : ['mails to ', mailsPerMailbox]
  return count(call, `${name}${email.toLowerCase()}`, limit, 'an address')
}

/**
 * Takes one of the mails that an hour has: of an organisation, for what its members have sent to addresses of their choice,
 * and of a mailbox, from all organisations together. Throws `rate_limited` where there is none left.
 */
export const takeMail = async (call: By & Counts, to: MailTo): Promise<void> => {
  const hit = await hitBy(call, to, call.actor.kind === 'user')
  if (!hit) return
  const { limit, endsAt, of } = hit
  const waitSeconds = (endsAt - call.clock.now()) / 1000
  const words = `${limit} messages in an hour are the ceiling of ${of}`
  throw rateLimited(words, { limit, waitSeconds, windowSeconds: hourMs / 1000 })
}

/** The same for what must go on without a mail; false where there is none left. */
export const mayMail = async (call: Counts, to: MailTo): Promise<boolean> => (await hitBy(call, to, true)) === undefined
