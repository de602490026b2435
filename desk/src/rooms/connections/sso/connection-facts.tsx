import { Fact, Facts } from '@integrity/shared-ui/web/facts'
import { useLocale } from '@integrity/shared-ui/web/spoken'
import type { ReactNode } from 'react'
import { useLanguage } from '../../../parts/language.ts'
import { shortTime } from '../../../parts/spans.ts'
import type { Connection } from './sso-words.ts'

const SamlFacts = ({ connection }: { readonly connection: Extract<Connection, { kind: 'saml' }> }): ReactNode => {
  const { t } = useLanguage()
  const locale = useLocale()
  const { idpEntityId, idpSsoUrl, idpSloUrl, idpCertificates } = connection
  return (
    <>
      <Fact name={t('connectionsSaml.idpEntityId')}>{idpEntityId}</Fact>
      <Fact name={t('connectionsSaml.idpSsoUrl')}>{idpSsoUrl}</Fact>
      {idpSloUrl === undefined ? null : <Fact name={t('connectionsSaml.idpSloUrl')}>{idpSloUrl}</Fact>}
      <Fact name={t('connectionsSaml.certificates')}>
        {idpCertificates.map(({ fingerprint, subject, notAfter }) => (
          <p key={fingerprint}>
            {t('connectionsCertificate', { subject, until: shortTime(notAfter, locale) })}{' '}
            <code className="exact">{fingerprint}</code>
          </p>
        ))}
      </Fact>
    </>
  )
}

const LdapFacts = ({ connection }: { readonly connection: Extract<Connection, { kind: 'ldap' }> }): ReactNode => {
  const { t } = useLanguage()
  const names = ['url', 'bindDn', 'baseDn', 'userFilter', 'groupFilter'] as const
  return (
    <>
      {names.map((name) =>
        connection[name] === undefined ? null : (
          <Fact key={name} name={t(`connectionsLdap.${name}`)}>
            {connection[name]}
          </Fact>
        ),
      )}
      <Fact name={t('connectionsLdap.bindPassword')}>{t('connectionsSecretKept')}</Fact>
    </>
  )
}

const OidcFacts = ({ connection }: { readonly connection: Extract<Connection, { kind: 'oidc' }> }): ReactNode => {
  const { t } = useLanguage()
  return (
    <>
      <Fact name={t('connectionsOidc.issuer')}>{connection.issuer}</Fact>
      <Fact name={t('connectionsOidc.clientId')}>{connection.clientId}</Fact>
      <Fact name={t('connectionsOidc.scopes')}>{connection.scopes.join(' ')}</Fact>
      <Fact name={t('connectionsOidc.clientSecret')}>{t('connectionsSecretKept')}</Fact>
    </>
  )
}

const KindFacts = ({ connection }: { readonly connection: Connection }): ReactNode => {
  if (connection.kind === 'saml') return <SamlFacts connection={connection} />
  if (connection.kind === 'oidc') return <OidcFacts connection={connection} />
  return <LdapFacts connection={connection} />
}

/** The connection without any secret: a certificate by its fingerprint, of a password only that there is one. */
export const ConnectionFacts = ({ connection }: { readonly connection: Connection }) => {
  const { t } = useLanguage()
  const locale = useLocale()
  const mapped = Object.entries(connection.roleMapping)
  return (
    <Facts>
      <Fact name={t('connectionsKind')}>{t(`connectionsKind.${connection.kind}`)}</Fact>
      <KindFacts connection={connection} />
      <Fact name={t('connectionsDefaultRole')}>{t(`role.${connection.defaultRole}`)}</Fact>
      {mapped.length === 0 ? null : (
        <Fact name={t('connectionsMapping')}>
          {mapped.map(([value, role]) => `${value}: ${t(`role.${role}`)}`).join(' · ')}
        </Fact>
      )}
      <Fact name={t('connectionsUpdated')}>{shortTime(connection.updatedAt, locale)}</Fact>
    </Facts>
  )
}
