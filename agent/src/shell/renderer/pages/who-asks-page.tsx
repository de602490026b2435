import { appointmentLine, inviterLine } from '@integrity/protocol/clients/inviter'
import { useLocale } from '@integrity/shared-ui/web/spoken'
import { WhoAsks } from '@integrity/shared-ui/web/who-asks'
import { useAgent } from '../components/agent.tsx'
import { useLanguage } from '../components/language.tsx'
import { ProblemNotice } from '../components/problem-notice.tsx'
import { useBrand } from '../components/use-brand.ts'
import { useOrg } from '../components/use-org.ts'

/** Who they are, and when and how the interview is. */
const useRows = () => {
  const { t } = useLanguage()
  const { session, server, consent } = useAgent().state
  const locale = useLocale()
  const apps = consent?.config.requiredApps ?? []
  return [
    session?.orgName ? ([t('whoOrg'), session.orgName] as const) : undefined,
    session?.schedule ? ([t('whoWhen'), appointmentLine(session.schedule, locale)] as const) : undefined,
    session?.inviter
      ? ([t('whoInviter'), <bdi key="inviter">{inviterLine(session.inviter)}</bdi>] as const)
      : undefined,
    server ? ([t('whoServer'), <bdi key="server">{server}</bdi>] as const) : undefined,
    session?.callIn ? ([t('whoCall'), session.callIn] as const) : undefined,
    apps.length > 0 ? ([t('whoApps'), apps.join(', ')] as const) : undefined,
  ].filter((row) => row !== undefined)
}

/** Who asks, for which interview, and what this program is. */
export const WhoAsksPage = ({ onNext }: { readonly onNext: () => void }) => {
  const { t } = useLanguage()
  const org = useOrg()
  const brand = useBrand()
  return (
    <WhoAsks
      title={t('whoTitle')}
      notice={<ProblemNotice />}
      asks={t('whoAsks', { org })}
      brand={brand}
      rows={useRows()}
      about={[
        [t('whoIs'), t('whoIsText')],
        [t('whoIsNot'), t('whoIsNotText')],
      ]}
      next={t('whoNext')}
      onNext={onNext}
    />
  )
}
