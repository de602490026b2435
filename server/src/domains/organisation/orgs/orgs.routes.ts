import type { HandlerMap } from '../../../kernel/handler.ts'
import { pageView } from '../../../kernel/paging.ts'
import { iso } from '../../../kernel/time.ts'
import { memberCounts } from '../people/memberships.service.ts'
import { countOwnOrgs, listOwnOrgs, ssoIsRequired } from '../people/people.service.ts'
import { rulesOf } from '../retention-rules/retention-rules.service.ts'
import { dataProtectionOf, setDataProtection } from './data-protection.service.ts'
import { foundOwnOrg } from './founding.service.ts'
import { getOrg, requireSecondFactor } from './orgs.service.ts'
import { dataProtectionView, orgDetailView, ownOrgView, reviewSettingsView } from './orgs.view.ts'
import { reviewSettingsOf, setReviewSettings } from './review-settings.service.ts'

export const orgsRoutes = {
  'orgs.self': {
    read: async (call) => {
      const { id, name, slug, createdAt } = await getOrg(call, call.scope.orgId)
      return { id, name, slug, createdAt: iso(createdAt) }
    },
  },
  'orgs.me': {
    read: async (call) => {
      const { actor } = call
      const { id, name, slug } = await getOrg(call, call.scope.orgId)
      const { label, environment, scopes } = actor
      return { keyId: actor.id, label, environment, scopes: [...scopes], org: { id, name, slug } }
    },
  },
  'portal.orgs.list': {
    read: async (call, { query }) => {
      const { id, onlyIn } = call.actor
      const { active } = await countOwnOrgs(call, id)
      const page = await listOwnOrgs(call, { userId: id, onlyIn, query })
      return pageView(page, onlyIn === null ? active : page.rows.length, ownOrgView)
    },
  },
  'portal.orgs.create': {
    write: async (call, { body }) => {
      const { org, owner } = await foundOwnOrg(call, body)
      const { id: membershipId, ...standing } = owner
      return ownOrgView({ ...standing, orgId: org.id, name: org.name, slug: org.slug, membershipId })
    },
  },
  'portal.orgs.get': {
    read: async (call) => {
      const { orgId } = call.scope
      const { held } = await rulesOf(call, orgId)
      const facts = {
        legalHold: held === 1,
        ssoRequired: await ssoIsRequired(call, orgId),
        dataProtection: await dataProtectionOf(call, orgId),
        review: await reviewSettingsOf(call, orgId),
      }
      return orgDetailView(await getOrg(call, orgId), await memberCounts(call, orgId), facts)
    },
  },
  'portal.orgs.secondFactor.set': {
    write: async (call, { body }) => {
      await requireSecondFactor(call, body.required)
      return body
    },
  },
  'portal.orgs.dataProtection.set': {
    write: async (call, { body }) => dataProtectionView(await setDataProtection(call, body)),
  },
  'portal.orgs.review.set': {
    write: async (call, { body }) => reviewSettingsView(await setReviewSettings(call, body)),
  },
} satisfies Partial<HandlerMap>
