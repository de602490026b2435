import {
  type BodyOf,
  type EndpointMap,
  invalid,
  maxKeptRecipients,
  maxOwnRecipients,
  notFound,
  ServiceError,
} from '@integrity/protocol'
import type { By, Needs } from '../../../kernel/call.ts'
import type { ActorOf } from '../../../kernel/identity/actor.ts'
import { AgeError } from '../../../platform/crypto/age-error.ts'
import { fileKeyBytes, wrapFileKey } from '../../../platform/crypto/age-header.ts'
import { parseRecipient } from '../../../platform/crypto/age-keys.ts'
import { getOrg, lockOrg } from '../orgs/orgs.service.ts'
import { insertRecipient, listRecipients, markRemoved } from './recipients.store.ts'
import type { RecipientRow } from './recipients.types.ts'

type Changes = By<ActorOf<'user'>> & Needs<'audit' | 'clock' | 'newId' | 'tx'>

/** An organisation's own recipients, removed ones too. */
export const ownRecipientsOf = (call: Needs<'reader'>, orgId: string): Promise<RecipientRow[]> =>
  listRecipients(call.reader, orgId)

/** Whom a new object of an organisation is sealed to: the service's key of it first, then those of its own. */
export const recipientsOf = async (call: Needs<'reader'>, orgId: string): Promise<string[]> => {
  const { recipient } = await getOrg(call, orgId)
  const own = await listRecipients(call.reader, orgId)
  return [recipient, ...own.filter(({ removedAt }) => removedAt === null).map((one) => one.recipient)]
}

/** A text of the right form may still be no point that anything can be sealed to. */
const checkRecipient = (recipient: string): void => {
  try {
    parseRecipient(recipient)
    wrapFileKey(Buffer.alloc(fileKeyBytes), [recipient])
  } catch (error) {
    if (error instanceof AgeError) throw invalid('recipient', 'is no recipient that anything can be sealed to')
    throw error
  }
}

export const addRecipient = async (
  call: Changes,
  { recipient, label }: BodyOf<EndpointMap['portal.recipients.add']>,
): Promise<RecipientRow> => {
  const { tx, actor } = call
  const { orgId } = actor
  checkRecipient(recipient)
  const org = await lockOrg(call, orgId)
  const rows = await listRecipients(tx, orgId)
  const inForce = rows.filter(({ removedAt }) => removedAt === null)
  if (org.recipient === recipient || inForce.some((one) => one.recipient === recipient))
    throw new ServiceError('conflict', 'everything is sealed to this recipient already')
  if (inForce.length >= maxOwnRecipients)
    throw new ServiceError('conflict', `there are ${maxOwnRecipients} recipients; remove one first`)
  if (rows.length >= maxKeptRecipients)
    throw new ServiceError('conflict', `there have been ${maxKeptRecipients} recipients, which is the limit`)
  const row: RecipientRow = { id: call.newId('rcp'), recipient, label, addedAt: call.clock.now(), removedAt: null }
  await insertRecipient(tx, orgId, row)
  const payload = { recipient, label }
  await call.audit.append({ tx, scope: { orgId }, actor }, { action: 'recipient.added', target: row.id, payload })
  return row
}

export const removeRecipient = async (call: Changes, id: string): Promise<RecipientRow> => {
  const { tx, actor } = call
  const { orgId } = actor
  const now = call.clock.now()
  const isNew = await markRemoved(tx, orgId, id, now)
  const row = (await listRecipients(tx, orgId)).find((one) => one.id === id)
  if (!row) throw notFound('recipient')
  if (isNew) {
    const payload = { recipient: row.recipient, label: row.label }
    await call.audit.append({ tx, scope: { orgId }, actor }, { action: 'recipient.removed', target: id, payload })
  }
  return row
}
