import { Page } from '@integrity/shared-ui/web/shell'
import { useState } from 'react'
import type { ListQuery } from '../../data/route.ts'
import { useDesk } from '../../parts/desk-context.ts'
import { useLanguage } from '../../parts/language.ts'
import { Link } from '../../parts/link.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { useEndpoint } from '../../parts/use-endpoint.ts'
import { type Fresh, ShownSecret } from './shown-secret.tsx'
import { WebhookForm } from './webhook-form.tsx'
import { HealthWords, type Webhook } from './webhook-health.tsx'
import { WebhookPage } from './webhook-page.tsx'

const WebhooksList = ({ items }: { readonly items: readonly Webhook[] }) => {
  const { t } = useLanguage()
  const { org } = useDesk()
  return (
    <ul className="plain rows">
      {items.map((item) => (
        <li key={item.id}>
          <Link to={{ room: 'developers', org: org.slug, section: 'webhooks', id: item.id, query: {} }}>
            {item.url}
          </Link>
          <span className="small">
            {[t(`environment.${item.environment}`), item.description].filter(Boolean).join(', ')}
          </span>
          <span>
            <HealthWords item={item} />
          </span>
        </li>
      ))}
    </ul>
  )
}

const AllWebhooksPage = () => {
  const { t } = useLanguage()
  const { org } = useDesk()
  const [fresh, setFresh] = useState<Fresh>()
  const webhooks = useEndpoint('portal.webhooks.list', { params: { orgId: org.id }, query: { limit: 100 } })
  return (
    <Page title={t('developersWebhooks')} wide>
      <p>{t('developersWebhooksText')}</p>
      {fresh ? (
        <ShownSecret
          label={t('developersSecretShown', { of: fresh.of })}
          text={t('developersSecretShownText')}
          secret={fresh.secret}
          onDone={() => setFresh(undefined)}
        />
      ) : null}
      <Loaded question={webhooks}>
        {({ items }) => (items.length === 0 ? <p>{t('developersWebhooksNone')}</p> : <WebhooksList items={items} />)}
      </Loaded>
      <WebhookForm onMade={setFresh} />
    </Page>
  )
}

interface Props {
  readonly id?: string | undefined
  readonly query: ListQuery
}

/** Where the organisation's events are sent to, or the one endpoint that the address names. */
export const WebhooksPage = ({ id, query }: Props) =>
  id === undefined ? <AllWebhooksPage /> : <WebhookPage key={id} id={id} query={query} />
