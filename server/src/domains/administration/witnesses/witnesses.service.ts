import { ServiceError, type witnessBody } from '@integrity/protocol'
import type * as z from 'zod'
import { readLastCheckpoint } from '../../../kernel/audit/audit.checkpoint.store.ts'
import { checkpointKey, checkpointVerifierKey } from '../../../kernel/audit/audit.checkpoint.ts'
import { parseWitnessKey } from '../../../kernel/audit/audit.cosignature.ts'
import type { By, Needs } from '../../../kernel/call.ts'
import type { ActorOf } from '../../../kernel/identity/actor.ts'
import { checkSeen } from '../../../kernel/seen.ts'
import { lockPeople } from '../../organisation/people/guards.service.ts'
import { findWitnesses, markAsked, markMailed, markPublished, saveChosen } from './witnesses.store.ts'
import type { WitnessesRow } from './witnesses.types.ts'

type Body = z.output<typeof witnessBody>

export const readWitnesses = (call: Needs<'reader'>, orgId: string): Promise<WitnessesRow | undefined> =>
  findWitnesses(call.reader, orgId)

const invalid = (path: string, message: string) =>
  new ServiceError('invalid_request', 'the witness is not valid', { details: [{ path, message }] })

const checkWitness = ({ config }: Needs<'config'>, witness: Body['witness']): void => {
  if (!witness) return
  const url = new URL(witness.url)
  if (url.username !== '' || url.password !== '')
    throw invalid('witness.url', 'must not hold a user name or a password')
  if (url.search !== '' || url.hash !== '') throw invalid('witness.url', 'must end with its path')
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && config.webhookAllowPrivate))
    throw invalid('witness.url', 'must begin with https://')
  if (!parseWitnessKey(witness.verifierKey))
    throw invalid('witness.verifierKey', 'must be the key of a witness: <name>+<hash>+<base64>, of type 4')
}

export const chooseWitnesses = async (
  call: By<ActorOf<'user'>> & Needs<'audit' | 'config' | 'tx'>,
  { mail, webhook, witness, expectedVersion }: Body,
): Promise<WitnessesRow | undefined> => {
  const { tx, actor } = call
  const { orgId } = actor
  checkWitness(call, witness)
  await lockPeople(call, orgId)
  const before = await findWitnesses(tx, orgId)
  checkSeen({ version: before?.version ?? 0 }, expectedVersion)
  const url = witness?.url ?? null
  await saveChosen(tx, orgId, before, { mail, webhook, witnessUrl: url, witnessKey: witness?.verifierKey ?? null })
  await call.audit.append(
    { tx, scope: { orgId }, actor },
    { action: 'audit.witnesses_chosen', target: orgId, payload: { mail, webhook, witness: url } },
  )
  return findWitnesses(tx, orgId)
}

const dayMs = 24 * 3_600_000
/** The job runs every hour; what is sent once a day is not to slip by one. */
const almostDayMs = dayMs - 1_800_000

/** Sends an organisation's newest checkpoint wherever it asked for and has not got it yet. */
export const sendCheckpoint = async (
  call: Needs<'clock' | 'db' | 'jobs' | 'keyring' | 'outbox' | 'reader'>,
  row: WitnessesRow,
): Promise<void> => {
  const { orgId } = row
  const last = await readLastCheckpoint(call.reader, orgId)
  if (!last) return
  const { size: rows, note: checkpoint } = last
  const now = call.clock.now()
  // The trail is of both environments, and so is what is said of it: told where it is real.
  const scope = { orgId, environment: 'live' } as const
  const verifierKey = checkpointVerifierKey(checkpointKey(call.keyring).publicKey, orgId)
  const isDue = { mail: now - row.mailedAt >= almostDayMs, witness: now - row.askedAt >= almostDayMs }
  await call.db.transact(async (tx) => {
    if (row.webhook && rows > row.publishedRows) {
      await call.outbox.publish({ tx, scope }, { type: 'audit.checkpoint', data: { rows, checkpoint, verifierKey } })
      await markPublished(tx, orgId, rows, now)
    }
    if (row.mail && rows > row.mailedRows && isDue.mail) {
      await call.jobs.enqueue({ tx, scope }, { kind: 'witnesses.mail', payload: { rows, checkpoint, verifierKey } })
      await markMailed(tx, orgId, rows, now)
    }
    if (row.witnessUrl !== null && rows > row.cosignedRows && isDue.witness) {
      await call.jobs.enqueue({ tx, scope }, { kind: 'witnesses.ask', payload: { rows } })
      await markAsked(tx, orgId, now)
    }
  })
}
