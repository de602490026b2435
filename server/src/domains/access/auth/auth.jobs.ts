import { type ConsentLocale, consentLocaleFor } from '@integrity/protocol'
import * as z from 'zod'
import { defineJob } from '../../../kernel/jobs/define-job.ts'
import { mailAttempts } from '../../../platform/mail/mail.ts'
import { getOrg } from '../../organisation/orgs/orgs.service.ts'
import { languageOf, personOf } from '../../organisation/people/people.service.ts'
import { tellHolders } from '../../organisation/people/telling.service.ts'
import { changedLetter, linkLetter } from './passwords/password.messages.ts'
import { answerAsking, openPasswordLink, purgePasswordLinks } from './passwords/password-links.service.ts'
import { factorLetter } from './second-factor/factor.messages.ts'
import { factorNews } from './second-factor/factor-news.service.ts'
import { purgeUnfinished } from './second-factor/factors.service.ts'
import { purgeAttempts } from './sign-ins/login.service.ts'
import { purgeSignIns } from './sign-ins/sign-ins.service.ts'
import { passwordUsedLetter, vouchingLetter } from './single-sign-on/sso.messages.ts'
import { purgeVouchingLinks, vouchingUrl } from './single-sign-on/vouching.service.ts'

/** No address and no token that a reader of the table could use. */
const forgotten = z.object({ id: z.string(), wrapped: z.string(), locale: z.string().optional() })
const wrappedLink = z.object({ linkId: z.string(), wrapped: z.string() })
const news = z.object({ userId: z.string(), news: z.enum(factorNews), locale: z.string() })
const passwordUsed = z.object({ orgId: z.string(), userId: z.string() })
const vouchingLink = z.object({
  orgId: z.string(),
  userId: z.string(),
  linkId: z.string(),
  wrapped: z.string(),
  expiresAt: z.number(),
  isNews: z.boolean(),
})
const ofPerson = z.object({ userId: z.string(), locale: z.string() })

declare module '../../../kernel/jobs.types.ts' {
  interface JobPayloads {
    'auth.password_forgotten': z.output<typeof forgotten>
    'auth.password_link': z.output<typeof wrappedLink>
    'auth.password_set': z.output<typeof ofPerson>
    'auth.sso_password_used': z.output<typeof passwordUsed>
    'auth.vouching_link': z.output<typeof vouchingLink>
    'auth.factor_news': z.output<typeof news>
  }
}

export const authJobs = [
  defineJob({
    kind: 'auth.purge',
    everyMs: 3_600_000,
    run: async (call) => {
      await purgeSignIns(call)
      await purgeAttempts(call)
      await purgePasswordLinks(call)
      await purgeUnfinished(call)
      await purgeVouchingLinks(call)
    },
  }),
  defineJob({
    kind: 'auth.password_forgotten',
    payload: forgotten,
    run: (call, asked) => answerAsking(call, asked),
  }),
  defineJob({
    kind: 'auth.password_link',
    payload: wrappedLink,
    attempts: mailAttempts,
    run: async (call, wrapped, { id }) => {
      const open = await openPasswordLink(call, wrapped)
      const person = open && (await personOf(call, open.link.userId))
      if (!person) return
      const { link, url } = open
      await call.mail.send({ id, to: [person.email], ...linkLetter(link.locale, url, link.expiresAt) })
    },
  }),
  defineJob({
    kind: 'auth.sso_password_used',
    payload: passwordUsed,
    attempts: mailAttempts,
    run: async (call, { orgId, userId }, { id }) => {
      const person = await personOf(call, userId)
      if (!person) return
      const letterIn = (locale: ConsentLocale) => passwordUsedLetter(locale, person.email)
      await tellHolders(call, { id, orgId, permission: 'sso.manage', letterIn })
    },
  }),
  defineJob({
    kind: 'auth.vouching_link',
    payload: vouchingLink,
    attempts: mailAttempts,
    run: async (call, { orgId, userId, linkId, wrapped, expiresAt, isNews }, { id }) => {
      const person = await personOf(call, userId)
      if (!person || expiresAt <= call.clock.now()) return
      const { name } = await getOrg(call, orgId)
      const url = vouchingUrl(call, { linkId, wrapped })
      const locale = consentLocaleFor((await languageOf(call, userId)) ?? undefined)
      await call.mail.send({ id, to: [person.email], ...vouchingLetter(locale, { org: name, url, expiresAt, isNews }) })
    },
  }),
  defineJob({
    kind: 'auth.factor_news',
    payload: news,
    attempts: mailAttempts,
    run: async (call, { userId, news: of, locale }, { id }) => {
      const person = await personOf(call, userId)
      if (person) await call.mail.send({ id, to: [person.email], ...factorLetter(locale, of) })
    },
  }),
  defineJob({
    kind: 'auth.password_set',
    payload: ofPerson,
    attempts: mailAttempts,
    run: async (call, { userId, locale }, { id }) => {
      const person = await personOf(call, userId)
      if (person) await call.mail.send({ id, to: [person.email], ...changedLetter(locale) })
    },
  }),
]
