import { randomBytes } from 'node:crypto'
import { maxSsoDomains, notFound, ServiceError } from '@integrity/protocol'
import type { By, Needs } from '../../../kernel/call.ts'
import type { ActorOf } from '../../../kernel/identity/actor.ts'
import { lockPeople } from '../../organisation/people/guards.service.ts'
import { findConnection } from './connections.store.ts'
import { claimableDomain, holdsProof, proofRecord } from './domain-names.model.ts'
import {
  deleteDomain,
  findDomain,
  insertDomain,
  insertVerified,
  listDomains,
  noteLook,
  ownerOfDomainAcrossOrgs,
  takeVerified,
} from './domains.store.ts'
import type { DomainRow } from './sso.types.ts'

declare module '../../../kernel/parts.ts' {
  interface Parts {
    /** The TXT records of a name, each as its strings; rejects as `node:dns` does. */
    readonly txtRecords: (name: string) => Promise<string[][]>
  }
}

type Changes = By<ActorOf<'user'>> & Needs<'audit' | 'clock' | 'tx'>

const conflict = (reason: string, words: string) => new ServiceError('conflict', words, { extra: { reason } })
const taken = () => conflict('taken', 'another organisation has just proved that this domain is theirs')

/** As it was written in a path, which may be anything. */
const domainInPath = async (call: Needs<'reader'>, orgId: string, given: string): Promise<DomainRow> => {
  const name = given.toLowerCase()
  const row = /^[a-z0-9.-]{1,253}$/.test(name) ? await findDomain(call.reader, orgId, name) : undefined
  if (!row) throw notFound('domain')
  return row
}

/**
 * Claims a domain, which does nothing until it is verified, whoever has it meanwhile. Claiming again answers the claim there is.
 */
export const claimDomain = async (call: Changes, given: string): Promise<DomainRow> => {
  const { tx, actor } = call
  const { orgId } = actor
  const domain = claimableDomain(given)
  await lockPeople(call, orgId)
  const known = await listDomains(tx, orgId)
  const same = known.find((row) => row.domain === domain)
  if (!same && known.length >= maxSsoDomains)
    throw conflict('too_many', `there are ${maxSsoDomains} domains already, which is the limit`)
  const row = same ?? {
    domain,
    proof: randomBytes(20).toString('hex'),
    createdAt: call.clock.now(),
    verifiedAt: null,
    missingSince: null,
  }
  if (!same) await insertDomain(tx, orgId, row)
  await call.audit.append({ tx, scope: { orgId }, actor }, { action: 'sso.domain_added', target: domain })
  return row
}

/** Before the transaction: whether the record is there. A name server that fails proves nothing. */
export const lookForProof = async (
  call: By<ActorOf<'user'>> & Needs<'reader' | 'txtRecords'>,
  given: string,
): Promise<boolean> => {
  const row = await domainInPath(call, call.actor.orgId, given)
  const { name, value } = proofRecord(row)
  const records = await call.txtRecords(name).catch(() => [])
  return holdsProof(records, value)
}

/** A fresh proof counts more than an older one: whoever proved the domain before has it no longer, and is told. */
const takeOver = async (call: Changes & Needs<'jobs'>, domain: string): Promise<void> => {
  const { tx, actor, clock } = call
  const { orgId } = actor
  if (await insertVerified(tx, orgId, domain, clock.now())) return
  const from = await ownerOfDomainAcrossOrgs(tx, domain)
  if (from === orgId) return
  if (from === undefined || !(await takeVerified(tx, orgId, { domain, from, now: clock.now() }))) throw taken()
  const scope = { orgId: from, environment: 'live' } as const
  await call.jobs.enqueue(
    { ...call, scope },
    { kind: 'sso.domain_ended', payload: { domain, why: 'proved_elsewhere' } },
  )
}

/** In the transaction: what was found. The record is looked for again each day (`proofs.service.ts`). */
export const noteProof = async (
  call: Changes & Needs<'jobs'>,
  { given, isProved }: { readonly given: string; readonly isProved: boolean },
): Promise<DomainRow> => {
  const { tx, actor } = call
  const { orgId } = actor
  await lockPeople(call, orgId)
  const row = await domainInPath({ reader: tx }, orgId, given)
  const { domain } = row
  if (isProved && row.verifiedAt === null) await takeOver(call, domain)
  else if (isProved) await noteLook(tx, orgId, { domain, now: call.clock.now(), missingSince: null })
  const action = isProved ? 'sso.domain_verified' : 'sso.domain_checked'
  await call.audit.append({ tx, scope: { orgId }, actor }, { action, target: domain })
  return domainInPath({ reader: tx }, orgId, domain)
}

/** Gives a domain up. What was vouched for with it ends. */
export const dropDomain = async (call: Changes & Needs<'jobs'>, given: string): Promise<string> => {
  const { tx, actor } = call
  const { orgId } = actor
  await lockPeople(call, orgId)
  const { domain, verifiedAt } = await domainInPath({ reader: tx }, orgId, given)
  const others = (await listDomains(tx, orgId)).filter((row) => row.verifiedAt !== null && row.domain !== domain)
  if (verifiedAt !== null && others.length === 0 && (await findConnection(tx, orgId))?.required)
    throw conflict('required', 'single sign-on is required, and this is the last verified domain: end that first')
  await deleteDomain(tx, orgId, domain)
  if (verifiedAt !== null) {
    const scope = { orgId, environment: 'live' } as const
    await call.jobs.enqueue({ ...call, scope }, { kind: 'sso.domain_ended', payload: { domain, why: 'dropped' } })
  }
  await call.audit.append({ tx, scope: { orgId }, actor }, { action: 'sso.domain_dropped', target: domain })
  return domain
}
