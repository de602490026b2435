import { appointmentLine, inviterLine } from '@integrity/protocol/clients/inviter'
import { Actions, Button } from '@integrity/shared-ui/web/button'
import { Page } from '@integrity/shared-ui/web/shell'
import { useLocale } from '@integrity/shared-ui/web/spoken'
import { Welcome } from '@integrity/shared-ui/web/welcome'
import { Fragment } from 'react'
import { useAgent } from '../components/agent.tsx'
import { useLanguage } from '../components/language.tsx'
import { ProblemNotice } from '../components/problem-notice.tsx'
import { useBrand } from '../components/use-brand.ts'
import { useOrg } from '../components/use-org.ts'

/** Who they are, and when and how the interview is. */
const WhoCard = () => {
  const { t } = useLanguage()
  const { session, server, consent } = useAgent().state
  const locale = useLocale()
  const apps = consent?.config.requiredApps ?? []
  const rows = [
    session?.orgName ? ([t('whoOrg'), session.orgName] as const) : undefined,
    session?.schedule ? ([t('whoWhen'), appointmentLine(session.schedule, locale)] as const) : undefined,
    session?.inviter
      ? ([t('whoInviter'), <bdi key="inviter">{inviterLine(session.inviter)}</bdi>] as const)
      : undefined,
    server ? ([t('whoServer'), <bdi key="server">{server}</bdi>] as const) : undefined,
    session?.callIn ? ([t('whoCall'), session.callIn] as const) : undefined,
    apps.length > 0 ? ([t('whoApps'), apps.join(', ')] as const) : undefined,
  ].filter((row) => row !== undefined)
  return (
    <dl className="card">
      {rows.map(([name, value]) => (
        <Fragment key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </Fragment>
      ))}
    </dl>
  )
}

/** Who asks, for which interview, and what this program is. */
export const WhoAsksPage = ({ onNext }: { readonly onNext: () => void }) => {
  const { t } = useLanguage()
  const org = useOrg()
  const brand = useBrand()
  return (
    <Page title={t('whoTitle')}>
      <ProblemNotice />
      <p>{t('whoAsks', { org })}</p>
      <Welcome brand={brand} />
      <WhoCard />
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
