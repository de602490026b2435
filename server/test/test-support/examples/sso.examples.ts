import { addPerson, join } from '../portal.ts'
import { samlifyAnswer } from '../saml-idp.ts'
import { directoryPassword } from '../scripted-directory.ts'
import { testPassword } from '../server.ts'
import { vouchedSeatOf } from '../sign-ins.ts'
import {
  addDomain,
  beginSignInAt,
  configureSaml,
  configureSso,
  ldapBody,
  oidcBody,
  samlBody,
  verifyDomain,
} from '../sso.ts'
import type { World } from '../world.ts'
import { byUser, type Examples, ofOrg } from './example.ts'

/** Somebody whom the organisation vouches for, and who has not agreed to more. */
const vouchedSeat = async ({ server, scope: { orgId } }: World) => {
  const { userId, email } = await addPerson(server)
  await join(server, userId, orgId, 'reviewer')
  await verifyDomain(server, orgId, email.slice(email.indexOf('@') + 1))
  return vouchedSeatOf(server, { userId, orgId })
}

export const ssoExamples = {
  'sso.discover': () => ({ json: { email: 'somebody@example.org' } }),
  'sso.login': async (world) => ({ params: { orgSlug: await configureSaml(world) } }),
  'sso.metadata': async (world) => ({ params: { orgSlug: await configureSaml(world) } }),
  'sso.acs': async (world) => {
    const orgSlug = await configureSaml(world)
    const begun = await beginSignInAt(world.server, orgSlug)
    const email = `person${begun.requestId.slice(1, 9)}@sso.example`
    return { params: { orgSlug }, json: await samlifyAnswer(begun, { email }) }
  },
  'sso.callback': async (world) => {
    const orgSlug = await configureSso(world, oidcBody)
    const response = await fetch(`${world.server.url}/v1/auth/sso/${orgSlug}/login`, { redirect: 'manual' })
    const state = new URL(response.headers.get('location') ?? '').searchParams.get('state') ?? ''
    const cookie = response.headers.getSetCookie()[0]?.split(';')[0] ?? ''
    return { params: { orgSlug }, headers: { cookie }, query: { state, code: 'good' } }
  },
  'sso.slo': async (world) => ({ params: { orgSlug: await configureSaml(world) }, query: { SAMLResponse: 'AA==' } }),
  'sso.logoutUrl': async (world) => ({ headers: await byUser(world), params: { orgSlug: await configureSaml(world) } }),
  'sso.ldap': async (world) => {
    const orgSlug = await configureSso(world, ldapBody)
    return { json: { orgSlug, username: 'directory', password: directoryPassword } }
  },
  'sso.agree': async (world) => ({ headers: await vouchedSeat(world), json: { password: testPassword } }),
  'sso.agreeLink': async (world) => ({ headers: await vouchedSeat(world) }),
  'portal.sso.get': ofOrg,
  'portal.sso.put': async (world) => {
    const { roleMapping: _, ...json } = samlBody
    return { ...(await ofOrg(world)), json }
  },
  'portal.sso.enforcement': async (world) => ({ ...(await ofOrg(world)), json: { required: false } }),
  'portal.sso.domains.add': async (world) => ({ ...(await ofOrg(world)), json: { domain: 'claimed.example' } }),
  'portal.sso.domains.verify': async (world) => {
    const { headers, params } = await ofOrg(world)
    return { headers, params: { ...params, domain: await addDomain(world) } }
  },
  'portal.sso.domains.drop': async (world) => {
    const { headers, params } = await ofOrg(world)
    return { headers, params: { ...params, domain: await addDomain(world) } }
  },
  'portal.sso.test': async (world) => {
    await configureSaml(world)
    return ofOrg(world)
  },
} satisfies Examples
