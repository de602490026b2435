import { samlifyAnswer } from '../saml-idp.ts'
import { directoryPassword } from '../scripted-directory.ts'
import { addDomain, beginSignInAt, configureSaml, configureSso, ldapBody, samlBody } from '../sso.ts'
import { byUser, type Examples, ofOrg } from './example.ts'

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
  'sso.slo': async (world) => ({ params: { orgSlug: await configureSaml(world) }, query: { SAMLResponse: 'AA==' } }),
  'sso.logoutUrl': async (world) => ({ headers: await byUser(world), params: { orgSlug: await configureSaml(world) } }),
  'sso.ldap': async (world) => {
    const orgSlug = await configureSso(world, ldapBody)
    return { json: { orgSlug, username: 'directory', password: directoryPassword } }
  },
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
