import { Page } from '@integrity/shared-ui/web/shell'
import { useDesk } from '../../parts/desk-context.ts'
import { useLanguage } from '../../parts/language.ts'
import { Loaded } from '../../parts/loaded.tsx'
import type { SectionProps } from '../../parts/section-props.ts'
import { useEndpoint } from '../../parts/use-endpoint.ts'
import { InvoicesSection } from './invoices-section.tsx'
import { PlansSection } from './plans-section.tsx'
import { SubscriptionSection } from './subscription-section.tsx'
import { UsedSection } from './used-section.tsx'

/** The plan: what it holds and what is used of it, what is paid for it, and the charges so far. */
export const PlanPage = ({ query }: SectionProps) => {
  const { t } = useLanguage()
  const { org } = useDesk()
  const params = { orgId: org.id }
  const entitlements = useEndpoint('portal.billing.entitlements', { params })
  const subscription = useEndpoint('portal.billing.subscription', { params })
  return (
    <Page title={t('businessPlan')} wide>
      <Loaded question={entitlements}>{(found) => <UsedSection entitlements={found} />}</Loaded>
      <Loaded question={subscription}>
        {(found) =>
          found.plan === 'self_hosted' ? (
            <p>{t('businessSelfHosted')}</p>
          ) : (
            <>
              <SubscriptionSection subscription={found} />
              <PlansSection subscription={found} />
            </>
          )
        }
      </Loaded>
      <InvoicesSection cursor={query['cursor']} />
    </Page>
  )
}
