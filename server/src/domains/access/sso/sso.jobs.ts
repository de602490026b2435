import type { ConsentLocale } from '@integrity/protocol'
import * as z from 'zod'
import { defineJob } from '../../../kernel/jobs/define-job.ts'
import { mailAttempts } from '../../../platform/mail/mail.ts'
import { tellHolders } from '../../organisation/people/telling.service.ts'
import { endVouchingForDomain } from '../auth/single-sign-on/vouching.service.ts'
import { ownerOfDomainAcrossOrgs } from './domains.store.ts'
import { endProof, lookForProofsAgain } from './proofs.service.ts'
import { signOutPasswords } from './requiring.service.ts'
import { tidySignIns } from './slo.service.ts'
import { domainEndedLetter, domainMissingLetter } from './sso.messages.ts'

const missing = z.object({ domain: z.string(), record: z.string(), value: z.string(), endsAt: z.number() })
const ended = z.object({ domain: z.string(), why: z.enum(['missing', 'proved_elsewhere', 'dropped']) })
const ofOrg = z.object({ orgId: z.string() })

declare module '../../../kernel/jobs.types.ts' {
  interface JobPayloads {
    'sso.domain_missing': z.output<typeof missing>
    'sso.domain_ended': z.output<typeof ended>
    'sso.end_vouching': z.output<typeof ended>
    'sso.end_password_sign_ins': z.output<typeof ofOrg>
  }
}

export const ssoJobs = [
  defineJob({ kind: 'sso.look_for_proofs', everyMs: 3_600_000, run: (call) => lookForProofsAgain(call) }),
  defineJob({
    kind: 'sso.domain_missing',
    payload: missing,
    attempts: mailAttempts,
    run: (call, about, { id }) =>
      tellHolders(call, {
        id,
        orgId: call.scope.orgId,
        permission: 'sso.manage',
        letterIn: (locale) => domainMissingLetter(locale, about),
      }),
  }),
  defineJob({
    kind: 'sso.domain_ended',
    payload: ended,
    run: (call, about) => endProof(call, about),
  }),
  defineJob({
    kind: 'sso.end_vouching',
    payload: ended,
    attempts: mailAttempts,
    run: async (call, { domain, why }, { id }) => {
      // The organisation has proved the domain again since the proof ended: its sign-ins stay.
      const { orgId } = call.scope
      if ((await ownerOfDomainAcrossOrgs(call.db.reader, domain)) === orgId) return
      await endVouchingForDomain(call, { orgId, domain })
      if (why === 'dropped') return
      const letterIn = (locale: ConsentLocale) => domainEndedLetter(locale, { domain, why })
      await tellHolders(call, { id, orgId, permission: 'sso.manage', letterIn })
    },
  }),
  defineJob({ kind: 'sso.tidy_sign_ins', everyMs: 60_000, run: (call) => tidySignIns(call) }),
  defineJob({
    kind: 'sso.end_password_sign_ins',
    payload: ofOrg,
    run: (call, { orgId }) => signOutPasswords(call, orgId),
  }),
]
