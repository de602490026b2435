import { begunCookie, type DataOf, type EndpointMap, samlRequestMinutes } from '@integrity/protocol'
import { type HandlerMap, prepared, Reply } from '../../../kernel/handler.ts'
import { signedInView } from '../auth/auth.view.ts'
import { secondStepView } from '../auth/second-factor/factors.view.ts'
import { identityOf } from '../auth/sign-ins/sign-ins.service.ts'
import {
  type AgreementProof,
  agree,
  askForVouchingLink,
  proveAgreement,
  whereItCounts,
} from '../auth/single-sign-on/vouching.service.ts'
import { beginSignIn } from './beginning.service.ts'
import { enterByDirectory, type ProvenPerson, proveInDirectory } from './directory.service.ts'
import { claimDomain, dropDomain, lookForProof, noteProof } from './domains.service.ts'
import { type ProvedOidc, proveOidcAnswer, takeOidcAnswer } from './oidc.service.ts'
import { proveAnswer, type ReadAnswer, spMetadata, takeAnswer } from './saml.service.ts'
import { prepareSigningKey } from './signing-keys.service.ts'
import type { SigningKeyRow } from './signing-keys.store.ts'
import { logoutUrlOf, takeLogout } from './slo.service.ts'
import { discover, setConnection, setRequired, ssoOf } from './sso.service.ts'
import { domainView, landingOf, ssoView, testView } from './sso.view.ts'
import { keepTest, type Tested, testConnection } from './testing.service.ts'

const goOn = (url: string) => ({ headers: { Location: url, 'Cache-Control': 'no-store' } })

/** As long as the sign-in may take at the identity provider, and for nothing else. */
const keeping = (value: string, isSecure: boolean) => ({
  'Set-Cookie': `${begunCookie}=${value}; Path=/v1/auth/sso; Max-Age=${samlRequestMinutes * 60}; HttpOnly; ${isSecure ? 'SameSite=None; Secure' : 'SameSite=Lax'}`,
})

export const ssoRoutes = {
  'sso.discover': { read: (call, { body }) => discover(call, body.email) },
  'sso.login': {
    read: async (call, { params, query }) => {
      const { url, keep } = await beginSignIn(call, { slug: params.orgSlug, returnTo: query.returnTo })
      const { headers } = goOn(url)
      const isSecure = call.config.baseUrl.startsWith('https:')
      return new Reply({ url }, { headers: { ...headers, ...(keep !== undefined && keeping(keep, isSecure)) } })
    },
  },
  'sso.metadata': {
    content: async (call, { params }) => ({
      contentType: 'application/samlmetadata+xml',
      body: Buffer.from(await spMetadata(call, params.orgSlug)),
    }),
  },
  'sso.acs': prepared<EndpointMap['sso.acs'], ReadAnswer>({
    prepare: (call, { params, body }) => proveAnswer(call, { slug: params.orgSlug, answer: body }),
    write: async (call, _, answer) => {
      const entered = await takeAnswer(call, answer)
      const url = `${call.config.baseUrl}${landingOf(entered)}`
      const { done } = entered
      return new Reply({ url }, { ...goOn(url), ...(!('challengeToken' in done) && { cookies: done }) })
    },
  }),
  'sso.callback': prepared<EndpointMap['sso.callback'], ProvedOidc>({
    prepare: (call, { params, query }) => proveOidcAnswer(call, { slug: params.orgSlug, answer: query }),
    write: async (call, _, proved) => {
      const entered = await takeOidcAnswer(call, proved)
      const url = `${call.config.baseUrl}${landingOf(entered)}`
      const { done } = entered
      return new Reply({ url }, { ...goOn(url), ...(!('challengeToken' in done) && { cookies: done }) })
    },
  }),
  'sso.slo': {
    read: async (call, { params, query }) => {
      const url = await takeLogout(call, { slug: params.orgSlug, query })
      return new Reply({ url }, goOn(url))
    },
  },
  'sso.logoutUrl': { read: async (call, { params }) => ({ url: await logoutUrlOf(call, params.orgSlug) }) },
  'sso.ldap': prepared<EndpointMap['sso.ldap'], ProvenPerson>({
    prepare: (call, { body }) => proveInDirectory(call, body),
    write: async (call, { body }, proven): Promise<Reply<DataOf<EndpointMap['sso.ldap']>>> => {
      const { userId, done } = await enterByDirectory(call, { body, proven })
      const onlyIn = await whereItCounts({ reader: call.tx }, { userId, vouchedBy: proven.org.orgId })
      if ('challengeToken' in done) return new Reply(secondStepView(done))
      return new Reply(signedInView(await identityOf(call, { userId, onlyIn }), done), { cookies: done })
    },
  }),
  'sso.agree': prepared<EndpointMap['sso.agree'], AgreementProof>({
    prepare: (call, { body }) => proveAgreement(call, body),
    write: async (call, _, proof) => ({ agreed: true as const, orgId: await agree(call, proof) }),
  }),
  'sso.agreeLink': {
    write: async (call) => {
      await askForVouchingLink(call)
      return { accepted: true as const }
    },
  },
  'portal.sso.get': { read: async (call) => ssoView(await ssoOf(call, call.actor.orgId)) },
  'portal.sso.put': prepared<EndpointMap['portal.sso.put'], SigningKeyRow | undefined>({
    prepare: (call, { body }) => prepareSigningKey(call, body.kind === 'saml' ? body : {}),
    write: async (call, { body }, madeKey) => {
      await setConnection(call, { body, madeKey })
      return ssoView(await ssoOf(call, call.actor.orgId))
    },
  }),
  'portal.sso.enforcement': {
    write: async (call, { body }) => {
      await setRequired(call, body.required)
      return body
    },
  },
  'portal.sso.domains.add': { write: async (call, { body }) => domainView(await claimDomain(call, body.domain)) },
  'portal.sso.domains.verify': prepared<EndpointMap['portal.sso.domains.verify'], boolean>({
    prepare: (call, { params }) => lookForProof(call, params.domain),
    write: async (call, { params }, isProved) => domainView(await noteProof(call, { given: params.domain, isProved })),
  }),
  'portal.sso.domains.drop': {
    write: async (call, { params }) => ({ domain: await dropDomain(call, params.domain), deleted: true as const }),
  },
  'portal.sso.test': prepared<EndpointMap['portal.sso.test'], Tested>({
    prepare: (call) => testConnection(call),
    write: async (call, _, tested) => testView(await keepTest(call, tested)),
  }),
} satisfies Partial<HandlerMap>
