import type { EndpointMap, ResultOf } from '@integrity/protocol'
import { ConfirmButton } from '@integrity/shared-ui/web/confirm-button'
import { Fact, Facts } from '@integrity/shared-ui/web/facts'
import { Section } from '@integrity/shared-ui/web/section'
import { SendProblemNotice } from '@integrity/shared-ui/web/send-problem'
import { Page } from '@integrity/shared-ui/web/shell'
import { useLocale } from '@integrity/shared-ui/web/spoken'
import { useDesk, useMay } from '../../parts/desk-context.ts'
import { useLanguage } from '../../parts/language.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { shortTime } from '../../parts/spans.ts'
import { useEndpoint } from '../../parts/use-endpoint.ts'
import { useWrite } from '../../parts/use-write.ts'
import { NewOrg } from './new-org.tsx'
import { TimeAuthoritySection } from './time-authority-section.tsx'
import { WitnessSection } from './witness-section.tsx'

type OrgDetail = ResultOf<EndpointMap['portal.orgs.get']>

const OrgFacts = ({ detail }: { readonly detail: OrgDetail }) => {
  const { t } = useLanguage()
  const locale = useLocale()
  const { active, inactive } = detail.members
  return (
    <Facts>
      <Fact name={t('houseName')}>{detail.name}</Fact>
      <Fact name={t('houseAddress')}>{detail.slug}</Fact>
      <Fact name={t('houseId')}>{detail.id}</Fact>
      <Fact name={t('houseSince')}>{shortTime(detail.createdAt, locale)}</Fact>
      <Fact name={t('houseMembers')}>{t('houseMembersCount', { active, inactive })}</Fact>
      <Fact name={t('houseSso')}>{detail.sso.required ? t('houseSsoRequired') : t('houseSsoFree')}</Fact>
      {detail.legalHold ? <Fact name={t('houseHold')}>{t('houseHoldOn')}</Fact> : null}
    </Facts>
  )
}

/** Who asks everybody for a second factor has one already; the service says so where not. */
const SecondFactor = ({ detail }: { readonly detail: OrgDetail }) => {
  const { t } = useLanguage()
  const { org, own } = useDesk()
  const mayChange = useMay('sso.manage')
  const { busy, problem, write } = useWrite('portal.orgs.get')
  const { required } = detail.secondFactor
  const set = () =>
    write(() => own.call('portal.orgs.secondFactor.set', { params: { orgId: org.id }, body: { required: !required } }))
  return (
    <Section title={t('houseFactorTitle')}>
      <p role="status">{required ? t('houseFactorOn') : t('houseFactorOff')}</p>
      {mayChange ? (
        <ConfirmButton
          label={required ? t('houseFactorRelease') : t('houseFactorRequire')}
          title={required ? t('houseFactorReleaseAsk') : t('houseFactorRequireAsk')}
          confirm={required ? t('houseFactorRelease') : t('houseFactorRequire')}
          cancel={t('houseCancel')}
          busy={busy}
          onConfirm={set}
        >
          {required ? t('houseFactorReleaseText') : t('houseFactorRequireText', { members: detail.members.active })}
        </ConfirmButton>
      ) : null}
      <SendProblemNotice problem={problem} conflict={t('houseFactorOwnFirst')} />
    </Section>
  )
}

/** What the organisation is, what it asks of everybody, and where the checkpoints of its audit trail go and who stamps them. */
export const HousePage = () => {
  const { t } = useLanguage()
  const { org } = useDesk()
  const seesTrail = useMay('audit.view')
  const detail = useEndpoint('portal.orgs.get', { params: { orgId: org.id } })
  return (
    <Page title={t('houseSection')} wide>
      <Loaded question={detail}>
        {(data) => (
          <>
            <OrgFacts detail={data} />
            <SecondFactor detail={data} />
          </>
        )}
      </Loaded>
      {seesTrail ? <WitnessSection /> : null}
      {seesTrail ? <TimeAuthoritySection /> : null}
      <NewOrg />
    </Page>
  )
}
