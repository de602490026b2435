import { iso, isoOrNull } from '../../../kernel/time.ts'
import { secondStepView } from '../auth/second-factor/factors.view.ts'
import { certificateFacts } from './certificates.model.ts'
import { proofRecord } from './domain-names.model.ts'
import type { Entered } from './entering.service.ts'
import type { ServiceProvider } from './service-provider.model.ts'
import type { ConnectionRow, DomainRow, SsoTestRow } from './sso.types.ts'

export const domainView = (row: DomainRow) => ({
  domain: row.domain,
  verified: row.verifiedAt !== null,
  verifiedAt: isoOrNull(row.verifiedAt),
  missingSince: isoOrNull(row.missingSince),
  record: proofRecord(row),
})

export const testView = ({ ok, checks, testedAt }: SsoTestRow) => ({ ok, checks: [...checks], testedAt: iso(testedAt) })

const connectionView = ({ settings, defaultRole, roleMapping, updatedAt }: ConnectionRow) => {
  const given = { defaultRole, roleMapping: { ...roleMapping }, updatedAt: iso(updatedAt) }
  if (settings.kind === 'ldap') return { ...settings, ...given }
  if (settings.kind === 'oidc') return { ...settings, scopes: [...settings.scopes], ...given }
  const { idpCertificates, signRequests = false } = settings
  return { ...settings, signRequests, idpCertificates: idpCertificates.map(certificateFacts), ...given }
}

export const ssoView = (found: {
  readonly connection: ConnectionRow | undefined
  readonly domains: readonly DomainRow[]
  readonly provider: ServiceProvider
  readonly certificate: string | undefined
  readonly tokenSince: number | undefined
}) => {
  const { connection, domains, provider, certificate, tokenSince } = found
  return {
    connection: connection ? connectionView(connection) : null,
    version: connection?.updatedAt ?? 0,
    required: connection?.required ?? false,
    domains: domains.map(domainView),
    test: connection?.test ? testView(connection.test) : null,
    provisioning: tokenSince === undefined ? null : { tokenSince: iso(tokenSince) },
    serviceProvider: { ...provider, signedElement: 'assertion' as const, signingCertificate: certificate ?? null },
  }
}

/** Where a browser goes from the identity provider's answer. A second step is named behind the #, so that no server's log sees it. */
export const landingOf = ({ done, returnTo }: Entered & { readonly returnTo: string | null }): string => {
  if (!('challengeToken' in done)) return returnTo ?? '/account/'
  const step = Buffer.from(JSON.stringify(secondStepView(done).secondFactor)).toString('base64url')
  // The desk takes the second step too, and the way back to a place in it would be lost elsewhere.
  const place = returnTo?.startsWith('/desk/') ? returnTo.replace(/#.*$/, '') : '/account/'
  return `${place}#step.${step}`
}
