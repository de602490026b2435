import { inflateRawSync } from 'node:zlib'
import { portalCookie } from './portal.ts'
import { type Begun, idpEntityId, idpSloUrl, idpSsoUrl } from './saml-idp.ts'
import { samlKeys } from './saml-keys.ts'
import { directoryUrl } from './scripted-directory.ts'
import { oidcIssuer } from './scripted-oidc.ts'
import type { TestServer } from './server.ts'
import type { World } from './world.ts'

export const ssoDomain = 'sso.example'

export const samlBody = {
  kind: 'saml',
  idpEntityId,
  idpSsoUrl,
  idpSloUrl,
  idpCertificates: [samlKeys.a.certificate],
  attributes: { email: 'email', name: 'displayName', role: 'groups' },
  defaultRole: 'interviewer',
  roleMapping: { admins: 'admin', reviewers: 'reviewer' },
} as const

export const ldapBody = {
  kind: 'ldap',
  url: directoryUrl,
  startTls: false,
  bindDn: 'cn=service,dc=sso,dc=example',
  bindPassword: 'of the service account',
  baseDn: 'dc=sso,dc=example',
  userFilter: '(uid={username})',
  groupFilter: '(member={dn})',
  defaultRole: 'interviewer',
  roleMapping: { admins: 'admin', reviewers: 'reviewer' },
} as const

export const oidcBody = {
  kind: 'oidc',
  issuer: oidcIssuer,
  clientId: 'integrity',
  clientSecret: 'of the client',
  attributes: { role: 'groups' },
  defaultRole: 'interviewer',
  roleMapping: { admins: 'admin', reviewers: 'reviewer' },
} as const

export const slugOf = async ({ app }: TestServer, orgId: string): Promise<string> =>
  (await app.db.reader.get<{ slug: string }>('SELECT slug FROM orgs WHERE org_id = ?', [orgId]))?.slug ?? ''

/** The owner's requests to their organisation. */
export const asOwner = async (server: TestServer, orgId: string) => {
  const cookie = await portalCookie(server, 'owner', orgId)
  return async (method: string, path: string, body?: unknown) => {
    const response = await fetch(`${server.url}/v1/orgs/${orgId}/sso${path}`, {
      method,
      headers: { ...cookie, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    return {
      status: response.status,
      body: (await response.json()) as {
        data: never
        error: { reason?: string; code: string; details?: { path: string }[] }
      },
    }
  }
}

/** A verified domain, by rows: how it is proved has its own test. */
export const verifyDomain = async ({ app, clock }: TestServer, orgId: string, domain: string): Promise<void> => {
  await app.db.transact(async (tx) => {
    await tx.run(
      'INSERT INTO sso_domains (org_id, domain, proof, created_at) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING',
      [orgId, domain, 'proof', clock.now()],
    )
    await tx.run(
      'INSERT INTO sso_verified_domains (domain, org_id, verified_at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
      [domain, orgId, clock.now()],
    )
  })
}

/** The organisation with a connection and a domain; answers its slug. */
export const configureSaml = (world: Pick<World, 'server' | 'scope'>): Promise<string> => configureSso(world, samlBody)

export const configureSso = async (
  { server, scope }: Pick<World, 'server' | 'scope'>,
  body: typeof samlBody | typeof ldapBody | (Omit<typeof oidcBody, 'issuer'> & { readonly issuer: string }),
): Promise<string> => {
  const put = await (await asOwner(server, scope.orgId))('PUT', '', body)
  if (put.status !== 200) throw new Error(JSON.stringify(put.body))
  await verifyDomain(server, scope.orgId, ssoDomain)
  return slugOf(server, scope.orgId)
}

let added = 0
export const addDomain = async ({ server, scope }: World): Promise<string> => {
  added += 1
  const domain = `added${added}.example`
  await (await asOwner(server, scope.orgId))('POST', '/domains', { domain })
  return domain
}

/** Follows the link of the sign-in page as far as the identity provider. */
export const beginSignInAt = async (server: TestServer, orgSlug: string, returnTo?: string): Promise<Begun> => {
  const query = returnTo === undefined ? '' : `?returnTo=${encodeURIComponent(returnTo)}`
  const at = `${server.url}/v1/auth/sso/${orgSlug}`
  const response = await fetch(`${at}/login${query}`, { redirect: 'manual' })
  const url = new URL(response.headers.get('location') ?? '')
  const xml = inflateRawSync(Buffer.from(url.searchParams.get('SAMLRequest') ?? '', 'base64')).toString('utf8')
  const metadata = await (await fetch(`${at}/metadata`)).text()
  const acsUrl = /AssertionConsumerServiceURL="([^"]+)"/.exec(xml)?.[1] ?? ''
  return {
    requestId: /\bID="([^"]+)"/.exec(xml)?.[1] ?? '',
    relayState: url.searchParams.get('RelayState') ?? '',
    metadata,
    acsUrl,
    audience: /entityID="([^"]+)"/.exec(metadata)?.[1] ?? '',
    now: server.clock.now(),
    kept: response.headers.getSetCookie()[0],
  }
}

/** Posts it as a browser does, from a page of the identity provider. */
export const postAnswer = async (
  server: TestServer,
  orgSlug: string,
  fields: Readonly<Record<string, string>>,
  more: Readonly<Record<string, string>> = {},
) => {
  const response = await fetch(`${server.url}/v1/auth/sso/${orgSlug}/acs`, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin: 'https://idp.example', ...more },
    body: new URLSearchParams(fields),
  })
  const text = await response.text()
  const isPage = response.headers.get('content-type')?.startsWith('text/html') ?? false
  const body = (isPage ? {} : JSON.parse(text)) as { error?: { reason?: string; code: string; message?: string } }
  return {
    status: response.status,
    location: response.headers.get('location'),
    cookies: response.headers.getSetCookie(),
    reason: body.error?.reason ?? body.error?.code,
    message: body.error?.message,
    ...(isPage && { page: text, policy: response.headers.get('content-security-policy') }),
  }
}
