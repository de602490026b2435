import { Fact, Facts } from '@integrity/shared-ui/web/facts'
import { Section } from '@integrity/shared-ui/web/section'
import { useLanguage } from '../../../parts/language.ts'
import { Copied } from '../parts/shown-once.tsx'
import type { Sso } from './sso-words.ts'

const given = ['metadataUrl', 'entityId', 'acsUrl', 'sloUrl', 'callbackUrl', 'loginUrl'] as const

/** What the identity provider is to be given; a directory needs none of it. */
export const ServiceProviderSection = ({ sso: { serviceProvider } }: { readonly sso: Sso }) => {
  const { t } = useLanguage()
  const { signingCertificate } = serviceProvider
  return (
    <Section title={t('connectionsProviderTitle')}>
      <p>{t('connectionsProviderText')}</p>
      <Facts>
        {given.map((name) => (
          <Fact key={name} name={t(`connectionsProvider.${name}`)}>
            <Copied name={t(`connectionsProvider.${name}`)} value={serviceProvider[name]} />
          </Fact>
        ))}
        {signingCertificate === null ? null : (
          <Fact name={t('connectionsProvider.certificate')}>
            <Copied name={t('connectionsProvider.certificate')} value={signingCertificate} />
          </Fact>
        )}
      </Facts>
    </Section>
  )
}
