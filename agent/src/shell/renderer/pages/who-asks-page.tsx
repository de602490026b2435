import { Actions, Button } from '@integrity/room-web/ui/button'
import { Page } from '@integrity/room-web/ui/shell'
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
        {session?.candidateLabel ? (
          <>
            <dt>{t('whoCandidate')}</dt>
            <dd>{session.candidateLabel}</dd>
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
