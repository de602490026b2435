import { domainGraceDays } from '@integrity/protocol'
import { inTx, type Needs } from '../../../kernel/call.ts'
import { system } from '../../../kernel/identity/actor.ts'
import { lockPeople } from '../../organisation/people/guards.service.ts'
import { holdsProof, proofRecord } from './domain-names.model.ts'
import { deleteVerified, listDueDomainsAcrossOrgs, noteLook, type VerifiedDomain } from './domains.store.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
/** The job runs every hour; what is done once a day is not to slip by one. */
const almostDayMs = dayMs - hourMs / 2
const graceMs = domainGraceDays * dayMs
const pageRows = 100

/** What a name server says when the record is not there, which is not that it does not answer. */
const absent: ReadonlySet<unknown> = new Set(['ENOTFOUND', 'ENODATA'])

/** Whether the record is there; undefined where nobody can tell, as no name server answers. */
const isThere = async (call: Needs<'txtRecords'>, domain: VerifiedDomain): Promise<boolean | undefined> => {
  const { name, value } = proofRecord(domain)
  try {
    return holdsProof(await call.txtRecords(name), value)
  } catch (error) {
    return absent.has((error as NodeJS.ErrnoException).code) ? false : undefined
  }
}

type Looks = Needs<'audit' | 'clock' | 'db' | 'jobs' | 'txtRecords'>

const noteMissing = async (call: Looks & Needs<'tx'>, row: VerifiedDomain): Promise<void> => {
  const { tx } = call
  const { orgId, domain } = row
  const now = call.clock.now()
  const missingSince = row.missingSince ?? now
  const scope = { orgId, environment: 'live' } as const
  if (now - missingSince >= graceMs) {
    if (!(await deleteVerified(tx, orgId, domain))) return
    await call.jobs.enqueue({ ...call, scope }, { kind: 'sso.domain_ended', payload: { domain, why: 'missing' } })
    return
  }
  if (!(await noteLook(tx, orgId, { domain, now, missingSince })) || row.missingSince !== null) return
  await call.audit.append({ tx, scope, actor: system }, { action: 'sso.domain_missing', target: domain })
  const { name: record, value } = proofRecord(row)
  const payload = { domain, record, value, endsAt: missingSince + graceMs }
  await call.jobs.enqueue({ ...call, scope }, { kind: 'sso.domain_missing', payload })
}

const look = async (call: Looks, row: VerifiedDomain): Promise<void> => {
  const found = await isThere(call, row)
  const { orgId, domain, missingSince } = row
  await call.db.transact(async (tx) => {
    const within = inTx(call, tx)
    await lockPeople(within, orgId)
    if (found === false) return noteMissing(within, row)
    // Nobody can tell: it is looked for again tomorrow, and its grace goes on.
    const since = found ? null : missingSince
    if (!(await noteLook(tx, orgId, { domain, now: call.clock.now(), missingSince: since }))) return
    if (found && missingSince !== null)
      await call.audit.append({ tx, scope: { orgId }, actor: system }, { action: 'sso.domain_found', target: domain })
  })
}

/**
 * Looks each day whether the record of each verified domain is still there, and ends what was proved when it is missing for days.
 * One that cannot be looked at now is left for the next hour, and holds up no other.
 */
export const lookForProofsAgain = async (call: Looks & Needs<'log'>): Promise<void> => {
  const before = call.clock.now() - almostDayMs
  let page = await listDueDomainsAcrossOrgs(call.db.reader, { before, limit: pageRows })
  while (page.length > 0) {
    for (const row of page)
      await look(call, row).catch((error: unknown) =>
        call.log.error({ err: error, domain: row.domain }, 'a verified domain could not be looked at'),
      )
    page = await listDueDomainsAcrossOrgs(call.db.reader, { before, after: page.at(-1), limit: pageRows })
  }
}

type Why = 'missing' | 'proved_elsewhere' | 'dropped'

/** Notes that a proof has ended, and has end what it carried: sign-ins that were vouched for by it, and what accounts agreed to. */
export const endProof = (
  call: Needs<'audit' | 'db' | 'jobs' | 'scope'>,
  about: { readonly domain: string; readonly why: Why },
): Promise<void> =>
  call.db.transact(async (tx) => {
    const { domain, why } = about
    const row = { action: 'sso.domain_ended', target: domain, payload: { why } } as const
    await call.audit.append({ tx, scope: call.scope, actor: system }, row)
    await call.jobs.enqueue({ ...call, tx }, { kind: 'sso.end_vouching', payload: about })
  })
