import * as z from 'zod'
import { mailAddress } from '../../../core/mail-address.ts'
import { builtInRoles } from '../../../core/permissions.ts'
import { id, instant } from '../../../core/primitives.ts'
import { expectedVersion, shownVersion } from '../../../core/seen.ts'
import { slug } from '../../organisation/orgs/orgs.schemas.ts'

/** Domains that an organisation claims at most. */
export const maxSsoDomains = 50
/** How long the TXT record of a verified domain may be missing before the domain is no longer verified. */
export const domainGraceDays = 7
/** What an identity provider may send; real answers are some 10 KiB. */
export const maxSamlBytes = 256 * 1024
/** An owner's successful test must be so young when single sign-on becomes required. */
export const ssoTestHours = 24
/** How far the clocks of identity providers may be off. */
export const samlSkewSeconds = 180
/** How long a sign-in that began here may take at the identity provider. */
export const samlRequestMinutes = 10

/** Never an owner: owners are made by owners. */
const mappableRole = z.enum(builtInRoles).exclude(['owner'])
const word = (max: number) => z.string().trim().min(1).max(max)
const webAddress = z
  .url({ protocol: /^https?$/ })
  .max(500)
  .regex(/^[\x21-\x7e]+$/, 'must be ASCII')
const ldapAddress = z
  .url({ protocol: /^ldaps?$/ })
  .max(300)
  .regex(/^[\x21-\x7e]+$/, 'must be ASCII')

const maxMapped = 100
const roles = {
  defaultRole: mappableRole.meta({ description: 'of who comes for the first time and has no mapped role' }),
  roleMapping: z
    .record(word(200), mappableRole)
    .refine((mapping) => Object.keys(mapping).length <= maxMapped, `may hold ${maxMapped} values at most`)
    .optional()
    .meta({
      description:
        'role by the value of the role attribute, or by the group; the first that matches wins, in this order',
    }),
}

const samlFields = {
  kind: z.literal('saml'),
  idpEntityId: word(1024).meta({ description: 'the issuer, exactly as the identity provider writes it' }),
  idpSsoUrl: webAddress.meta({ description: 'where sign-ins begin, by HTTP-Redirect' }),
  idpSloUrl: webAddress.optional().meta({ description: 'where sign-outs go, by HTTP-Redirect' }),
}
const signRequests = z.boolean().meta({
  description: 'sign what is sent to the identity provider, with a key whose certificate the metadata holds',
})
export const samlAttributes = z
  .object({
    id: word(200).optional().meta({ description: 'a stable id; the NameID unless given' }),
    email: word(200)
      .optional()
      .meta({ description: 'the address; usual names are tried unless given, then the NameID' }),
    name: word(200).optional(),
    role: word(200).optional().meta({ description: 'what `roleMapping` is looked up by' }),
  })
  .meta({ id: 'SamlAttributes', description: 'names of attributes in the assertion' })

const ldapFields = {
  kind: z.literal('ldap'),
  url: ldapAddress.meta({ description: '`ldaps://…`, or `ldap://…` with `startTls`' }),
  startTls: z.boolean().default(false),
  bindDn: word(1000),
  baseDn: word(1000),
  userFilter: word(1000).meta({ description: 'with `{username}` where the name goes, which is escaped' }),
  groupFilter: word(1000).optional().meta({ description: 'with `{dn}` and `{username}`; groups are not read without' }),
}

export const oidcScopes = ['openid', 'email', 'profile'] as const
const oidcFields = {
  kind: z.literal('oidc'),
  issuer: webAddress.meta({
    description: 'exactly as the identity provider writes it; the rest is discovered below it',
  }),
  clientId: word(300),
}
const scopeList = z
  .array(z.string().regex(/^[\x21\x23-\x5b\x5d-\x7e]{1,100}$/, 'must be a scope without spaces'))
  .min(1)
  .max(20)
  .refine((scopes) => scopes.includes('openid'), 'must hold openid')
const oidcAttributes = z
  .object({
    id: word(200).optional().meta({ description: 'a stable id; `sub` unless given' }),
    email: word(200).optional().meta({
      description:
        '`email` unless given, and then only where `email_verified` is true; name another claim where the provider sends no `email_verified`',
    }),
    name: word(200).optional().meta({ description: '`name` unless given' }),
    role: word(200).optional().meta({ description: 'what `roleMapping` is looked up by, such as `groups`' }),
  })
  .meta({ id: 'OidcAttributes', description: 'names of claims in the ID token or the UserInfo answer' })

export const ssoPut = z
  .discriminatedUnion('kind', [
    z.object({
      ...samlFields,
      idpCertificates: z.array(z.string().min(1).max(16_384)).min(1).max(4).meta({
        description: 'X.509 certificates, PEM or base64; several while one takes the place of another',
      }),
      attributes: samlAttributes.optional(),
      signRequests: signRequests.default(false),
      ...roles,
      expectedVersion,
    }),
    z.object({ ...ldapFields, bindPassword: z.string().min(1).max(1024), ...roles, expectedVersion }),
    z.object({
      ...oidcFields,
      clientSecret: z.string().min(1).max(1024),
      scopes: scopeList.optional().meta({ description: `${oidcScopes.join(' ')} unless given` }),
      attributes: oidcAttributes.optional(),
      ...roles,
      expectedVersion,
    }),
  ])
  .meta({ id: 'SsoPut' })

export const samlCertificate = z
  .object({
    fingerprint: z.string().meta({ description: 'SHA-256 of the certificate, hex' }),
    subject: z.string(),
    notBefore: instant,
    notAfter: instant,
  })
  .meta({ id: 'SamlCertificate' })

const given = { defaultRole: mappableRole, roleMapping: z.record(z.string(), mappableRole) }
const connection = z
  .discriminatedUnion('kind', [
    z.object({
      ...samlFields,
      idpCertificates: z.array(samlCertificate),
      attributes: samlAttributes,
      signRequests,
      ...given,
      updatedAt: instant,
    }),
    z.object({ ...ldapFields, startTls: z.boolean(), ...given, updatedAt: instant }),
    z.object({
      ...oidcFields,
      scopes: z.array(z.string()),
      attributes: oidcAttributes,
      ...given,
      updatedAt: instant,
    }),
  ])
  .meta({ id: 'SsoConnection', description: 'without any secret' })

const domainName = z.string().trim().toLowerCase().min(3).max(253)
export const ssoDomainAdd = z.object({ domain: domainName })
export const ssoDomain = z
  .object({
    domain: z.string(),
    verified: z.boolean(),
    verifiedAt: instant.nullable(),
    missingSince: instant.nullable().meta({
      description: `the record has not been found since then, by a look each day; after ${domainGraceDays} days the domain is no longer verified`,
    }),
    record: z
      .object({ type: z.literal('TXT'), name: z.string(), value: z.string() })
      .meta({ description: 'what proves control of the domain, in its DNS' }),
  })
  .meta({ id: 'SsoDomain' })
export const ssoDomainDropped = z.object({ domain: z.string(), deleted: z.literal(true) })

export const ssoCheck = z
  .object({ name: z.string(), ok: z.boolean(), message: z.string().optional() })
  .meta({ id: 'SsoCheck' })
export const ssoTest = z
  .object({ ok: z.boolean(), checks: z.array(ssoCheck), testedAt: instant })
  .meta({ id: 'SsoTest', description: 'what was tried, step by step; nothing is written at the other side' })

export const sso = z
  .object({
    connection: connection.nullable(),
    version: shownVersion('`connection`'),
    required: z.boolean(),
    domains: z.array(ssoDomain),
    test: ssoTest.nullable().meta({ description: 'the latest of this connection' }),
    provisioning: z.object({ tokenSince: instant }).nullable().meta({
      description: 'since when there is a token for provisioning (SCIM); null: there is none, and provisioning is off',
    }),
    serviceProvider: z
      .object({
        entityId: z.string(),
        acsUrl: z.string(),
        sloUrl: z.string(),
        metadataUrl: z.string(),
        loginUrl: z.string(),
        callbackUrl: z.string().meta({ description: 'the redirect URI of OpenID Connect' }),
        signedElement: z.literal('assertion').meta({
          description:
            'what the identity provider must sign, by SHA-256 or stronger; a signature of the whole response is welcome, and does not do alone',
        }),
        signingCertificate: z.string().nullable().meta({
          description:
            'PEM, also in the metadata; null where nothing is signed. Signing no more, and again, makes another key',
        }),
      })
      .meta({ description: 'what the identity provider is to be given' }),
  })
  .meta({ id: 'Sso' })

export const ssoEnforcement = z.object({ required: z.boolean() })

export const ssoDiscover = z.object({ email: mailAddress })
export const ssoDiscovered = z
  .object({
    method: z.enum(['saml', 'ldap', 'oidc', 'password']),
    url: z.string().optional().meta({ description: 'where to sign in, for `saml` and `oidc`' }),
    orgSlug: slug.optional().meta({ description: 'what to sign in to, for `ldap`' }),
    required: z.boolean().meta({ description: 'members of the organisation cannot use a password' }),
  })
  .meta({ id: 'SsoEntry' })

/** Where a sign-in comes back to: a path of this service, never another address. */
export const ssoLoginQuery = z.object({
  returnTo: z
    .string()
    .max(500)
    .regex(/^\/(?:[\x21-\x2e\x30-\x5b\x5d-\x7e][\x21-\x5b\x5d-\x7e]*)?$/, 'must be a path of this service')
    .optional(),
})
export const ssoRedirect = z.object({ url: z.string().meta({ description: 'also in `Location`' }) })
export const ldapLogin = z.object({
  orgSlug: z.string().min(1).max(40),
  username: z.string().min(1).max(320),
  password: z.string().min(1).max(1024),
})
/** How long the link works by which an account agrees, and how many it is sent within an hour. */
export const vouchingLinkDays = 7
export const vouchingLinksPerHour = 3
export const vouchingAgreement = z
  .object({
    password: z.string().min(1).max(1024).optional(),
    token: z.string().min(1).max(200).optional().meta({ description: 'the token of the mailed link, `vch_…`' }),
  })
  .refine(({ password, token }) => (password === undefined) !== (token === undefined), {
    message: 'give either password or token',
    path: ['password'],
  })
export const vouchingAgreed = z.object({
  agreed: z.literal(true),
  orgId: id('org').meta({ description: 'the organisation that vouches for the sign-ins' }),
})
export const vouchingLinkSent = z.object({ accepted: z.literal(true) })

export const ssoLogoutUrl = z.object({ url: z.string().nullable() })
/** What an identity provider's answer by OpenID Connect says in the address (RFC 6749, 4.1.2; RFC 9207). */
export const oidcAnswer = z.object({
  state: z.string().max(200).optional(),
  code: z.string().max(4096).optional(),
  iss: z.string().max(500).optional(),
  error: z.string().max(200).optional(),
  error_description: z.string().max(1000).optional(),
})
const base64 = z.string().max(Math.ceil(maxSamlBytes / 3) * 4 + 4096)
export const samlAnswer = z.object({ SAMLResponse: base64, RelayState: z.string().max(200).optional() })
const message = {
  SAMLRequest: base64.optional(),
  SAMLResponse: base64.optional(),
  RelayState: z.string().max(1024).optional(),
}
export const samlLogoutQuery = z.object({
  ...message,
  SigAlg: z.string().max(200).optional(),
  Signature: z.string().max(2048).optional(),
})
