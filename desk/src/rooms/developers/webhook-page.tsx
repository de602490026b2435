import { Fact, Facts } from '@integrity/shared-ui/web/facts'
import { Page } from '@integrity/shared-ui/web/shell'
import { useLocale } from '@integrity/shared-ui/web/spoken'
import type { ListQuery } from '../../data/route.ts'
import { useDesk } from '../../parts/desk-context.ts'
import { useLanguage } from '../../parts/language.ts'
import { Link } from '../../parts/link.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { shortTime } from '../../parts/spans.ts'
import { useEndpoint } from '../../parts/use-endpoint.ts'
import { DeliveriesSection } from './deliveries-section.tsx'
import { ExampleForm } from './example-form.tsx'
import { WebhookActs } from './webhook-acts.tsx'
import { HealthWords, type Webhook } from './webhook-health.tsx'
import { WebhookSettings } from './webhook-settings.tsx'

const WebhookFacts = ({ item }: { readonly item: Webhook }) => {
  const { t } = useLanguage()
  const locale = useLocale()
  return (
    <Facts>
      <Fact name={t('developersUrl')}>{item.url}</Fact>
      <Fact name={t('developersHealth')}>
        <HealthWords item={item} />
      </Fact>
      <Fact name={t('developersEnvironment')}>{t(`environment.${item.environment}`)}</Fact>
      <Fact name={t('developersEventTypes')}>
        {item.eventTypes.includes('*') ? t('developersEventAll') : item.eventTypes.join(', ')}
      </Fact>
      {item.previousSecretUntil ? (
        <Fact name={t('developersOldSecret')}>
          {t('developersOldSecretUntil', { at: shortTime(item.previousSecretUntil, locale) })}
        </Fact>
      ) : null}
      <Fact name={t('factCreated')}>{shortTime(item.createdAt, locale)}</Fact>
    </Facts>
  )
}

interface Props {
  readonly id: string
  readonly query: ListQuery
}

/** One endpoint: how it does, what was sent to it, and what can be done. All of an organisation fit on one page of the list. */
export const WebhookPage = ({ id, query }: Props) => {
  const { t } = useLanguage()
  const { org } = useDesk()
  const webhooks = useEndpoint('portal.webhooks.list', { params: { orgId: org.id }, query: { limit: 100 } })
  return (
    <Page title={t('developersWebhook')} wide>
      <p>
        <Link to={{ room: 'developers', org: org.slug, section: 'webhooks', query: {} }}>
          {t('developersWebhooksAll')}
        </Link>
      </p>
      <Loaded question={webhooks}>
        {({ items }) => {
          const item = items.find((one) => one.id === id)
          return item ? (
            <>
              <WebhookFacts item={item} />
              <WebhookActs item={item} />
              {item.status === 'enabled' ? <ExampleForm item={item} /> : null}
              <DeliveriesSection item={item} query={query} />
              {/* What was saved is what the form begins with from then on. */}
              <WebhookSettings key={item.id} item={item} />
            </>
          ) : (
            <p>{t('developersWebhookGone')}</p>
          )
        }}
      </Loaded>
    </Page>
  )
}
