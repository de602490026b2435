import { Actions, Button } from '@integrity/shared-ui/web/button'
import { Section } from '@integrity/shared-ui/web/section'
import { SelectField } from '@integrity/shared-ui/web/select-field'
import { useState } from 'react'
import type { ListQuery } from '../../data/route.ts'
import { useDesk } from '../../parts/desk-context.ts'
import { useLanguage } from '../../parts/language.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { Outcome } from '../../parts/outcome.tsx'
import { Pager } from '../../parts/pager.tsx'
import { useAttempt } from '../../parts/use-attempt.ts'
import { useEndpoint } from '../../parts/use-endpoint.ts'
import { DeliveryItem } from './delivery-item.tsx'
import { ReplaySince } from './replay-since.tsx'
import type { Webhook } from './webhook-health.tsx'

const statuses = ['pending', 'delivered', 'retrying', 'dead_letter', 'cancelled'] as const

interface Props {
  readonly item: Webhook
  readonly query: ListQuery
}

/** The endpoint's log, newest first: each delivery with its attempts, and how to send it again. */
export const DeliveriesSection = ({ item, query: { status: given, cursor } }: Props) => {
  const { t } = useLanguage()
  const { org, own, navigation } = useDesk()
  const [done, setDone] = useState<string>()
  const status = statuses.find((name) => name === given)
  const params = { orgId: org.id, endpointId: item.id }
  const deliveries = useEndpoint('portal.webhooks.deliveries.list', { params, query: { limit: 20, status, cursor } })
  const form = useAttempt('portal.webhooks.deliveries.list', 'portal.webhooks.list')
  const replay = (deliveryId: string) =>
    form.attempt(async () => {
      setDone(undefined)
      await own.call('portal.webhooks.deliveries.replay', { params: { ...params, deliveryId } })
      setDone(t('developersReplayed'))
    })
  const at = (query: ListQuery) =>
    ({ room: 'developers', org: org.slug, section: 'webhooks', id: item.id, query }) as const
  const narrowed: ListQuery = status ? { status } : {}
  const shown = { endpointId: item.id, busy: form.busy, onReplay: replay }
  return (
    <Section title={t('developersDeliveries')}>
      <SelectField
        label={t('filterState')}
        value={status ?? ''}
        options={[
          { id: '', label: t('anyState') },
          ...statuses.map((id) => ({ id, label: t(`developersDelivery.${id}`) })),
        ]}
        onChange={(to) => navigation.go(at({ status: to }))}
      />
      <Actions>
        <Button onClick={deliveries.again}>{t('developersLookNow')}</Button>
      </Actions>
      <p role="status">{done}</p>
      <Outcome of={form} />
      {item.status === 'enabled' ? <ReplaySince endpointId={item.id} /> : null}
      <Loaded question={deliveries}>
        {({ items, total, nextCursor }) =>
          total === 0 ? (
            <p>{t(status ? 'developersDeliveriesNoneSuch' : 'developersDeliveriesNone')}</p>
          ) : (
            <>
              <ul className="plain">
                {items.map((delivery) => (
                  <DeliveryItem key={delivery.id} delivery={delivery} {...shown} />
                ))}
              </ul>
              <Pager
                shown={items.length}
                total={total}
                first={cursor === undefined ? undefined : at(narrowed)}
                next={nextCursor === null ? undefined : at({ ...narrowed, cursor: nextCursor })}
              />
            </>
          )
        }
      </Loaded>
    </Section>
  )
}
