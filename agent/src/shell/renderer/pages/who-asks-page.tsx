import { appointmentLine, inviterLine } from '@integrity/protocol/clients/inviter'
import { Actions, Button } from '@integrity/room-web/ui/button'
import { Page } from '@integrity/room-web/ui/shell'
import { useLocale } from '@integrity/room-web/ui/spoken'
import { Welcome } from '@integrity/room-web/ui/welcome'
import { useAgent } from '../components/agent.tsx'
import { useLanguage } from '../components/language.tsx'
import { ProblemNotice } from '../components/problem-notice.tsx'
import { useBrand } from '../components/use-brand.ts'
import { useOrg } from '../components/use-org.ts'

/** Who asks, for which interview, and what this program is. */
export const WhoAsksPage = ({ onNext }: { readonly onNext: () => void }) => {
  const { t } = useLanguage()
  const { session, server, consent } = useAgent().state
  const org = useOrg()
  const locale = useLocale()
  const brand = useBrand()
  const apps = consent?.config.requiredApps ?? []
  return (
    <Page title={t('whoTitle')}>
      <ProblemNotice />
      <p>{t('whoAsks', { org })}</p>
      <Welcome brand={brand} />
      <dl className="card">
        {session?.orgName ? (
          <>
            <dt>{t('whoOrg')}</dt>
            <dd>{session.orgName}</dd>
          </>
        ) : null}
        {session?.schedule ? (
          <>
            <dt>{t('whoWhen')}</dt>
            <dd>{appointmentLine(session.schedule, locale)}</dd>
          </>
        ) : null}
        {session?.inviter ? (
          <>
            <dt>{t('whoInviter')}</dt>
            <dd>
              <bdi>{inviterLine(session.inviter)}</bdi>
            </dd>
          </>
        ) : null}
        {server ? (
          <>
            <dt>{t('whoServer')}</dt>
            <dd>
              <bdi>{server}</bdi>
            </dd>
          </>
        ) : null}
        {session?.callIn ? (
          <>
            <dt>{t('whoCall')}</dt>
            <dd>{session.callIn}</dd>
          </>
        ) : null}
        {apps.length > 0 ? (
          <>
            <dt>{t('whoApps')}</dt>
            <dd>{apps.join(', ')}</dd>
          </>
        ) : null}
      </dl>
      <h2>{t('whoIs')}</h2>
      <p>{t('whoIsText')}</p>
      <h2>{t('whoIsNot')}</h2>
      <p>{t('whoIsNotText')}</p>
      <Actions>
        <Button kind="main" onClick={onNext}>
          {t('whoNext')}
        </Button>
      </Actions>
    </Page>
  )
}
