import { Fact, Facts } from '@integrity/shared-ui/web/facts'
import { Page } from '@integrity/shared-ui/web/shell'
import { useLocale } from '@integrity/shared-ui/web/spoken'
import { useState } from 'react'
import type { ListQuery, SectionRoute } from '../../../data/route.ts'
import { useDesk } from '../../../parts/desk-context.ts'
import { useLanguage } from '../../../parts/language.ts'
import { Link } from '../../../parts/link.tsx'
import { Loaded } from '../../../parts/loaded.tsx'
import { shortTime } from '../../../parts/spans.ts'
import { useEndpoint } from '../../../parts/use-endpoint.ts'
import { Removed } from '../parts/removed.tsx'
import type { Ats } from './ats-words.ts'
import { CredentialsSection } from './credentials-section.tsx'
import { InboundAddresses } from './inbound-addresses.tsx'
import { SettingsSection } from './settings-section.tsx'
import { SystemActions } from './system-actions.tsx'
import { SystemLog } from './system-log.tsx'

const SystemFacts = ({ ats }: { readonly ats: Ats }) => {
  const { t } = useLanguage()
  const locale = useLocale()
  const isCalled = ats.provider === 'greenhouse_assessment'
  return (
    <Facts>
      <Fact name={t('connectionsSystem')}>{t(`connectionsProviderName.${ats.provider}`)}</Fact>
      <Fact name={t('columnState')}>{t(`connectionsStatus.${ats.status}`)}</Fact>
      {ats.problem === null ? null : <Fact name={t('connectionsProviderSaid')}>{ats.problem}</Fact>}
      <Fact name={t(isCalled ? 'connectionsAssessmentUrls' : 'connectionsInboundUrl')}>
        <InboundAddresses inboundUrl={ats.inboundUrl} />
      </Fact>
      <Fact name={t('connectionsInboundSince')}>{shortTime(ats.inboundSince, locale)}</Fact>
    </Facts>
  )
}

interface Props {
  readonly id: string
  readonly query: ListQuery
}

/** One connected hiring system: how it stands, what it does, and what came in and went out. */
export const SystemPage = ({ id, query }: Props) => {
  const { t } = useLanguage()
  const { org } = useDesk()
  const [isGone, setIsGone] = useState(false)
  const systems = useEndpoint('portal.ats.list', { params: { orgId: org.id }, query: {} })
  const back: SectionRoute = { room: 'connections', org: org.slug, section: 'hiring-systems', query: {} }
  if (isGone)
    return (
      <Page title={t('connectionsHiring')}>
        <Removed note={t('connectionsRemovedSystem')} back={back} />
      </Page>
    )
  return (
    <Page title={t('connectionsHiringOne')}>
      <p>
        <Link to={back}>{t('connectionsAll')}</Link>
      </p>
      <Loaded question={systems}>
        {({ items }) => {
          const ats = items.find((one) => one.id === id)
          if (!ats) return <p>{t('failedNotFound')}</p>
          return (
            <>
              <p className="lead">{ats.label}</p>
              <SystemFacts ats={ats} />
              <SystemActions ats={ats} onGone={() => setIsGone(true)} />
              <SettingsSection ats={ats} />
              {ats.provider === 'greenhouse_assessment' ? null : <CredentialsSection ats={ats} />}
              <SystemLog id={id} query={query} />
            </>
          )
        }}
      </Loaded>
    </Page>
  )
}
