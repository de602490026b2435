import { useLocale } from '@integrity/shared-ui/web/spoken'
import type { ListQuery, SectionRoute } from '../../../data/route.ts'
import { useDesk } from '../../../parts/desk-context.ts'
import { useLanguage } from '../../../parts/language.ts'
import { Loaded } from '../../../parts/loaded.tsx'
import { shortTime } from '../../../parts/spans.ts'
import { useAttempt } from '../../../parts/use-attempt.ts'
import { useEndpoint } from '../../../parts/use-endpoint.ts'
import { Log } from '../parts/log.tsx'

const states = ['pending', 'delivered', 'failed'] as const

interface Props {
  readonly id: string
  readonly query: ListQuery
}

/** What an app has announced, and what did not arrive. */
export const AppLog = ({ id, query }: Props) => {
  const { t } = useLanguage()
  const locale = useLocale()
  const { own, org } = useDesk()
  const params = { orgId: org.id, integrationId: id }
  const status = states.find((name) => name === query['status'])
  const cursor = query['cursor']
  const narrowed = { limit: 20, ...(status ? { status } : {}), ...(cursor === undefined ? {} : { cursor }) }
  const deliveries = useEndpoint('portal.chat.deliveries', { params, query: narrowed })
  const replaying = useAttempt('portal.chat.deliveries')
  const replay = (deliveryId: string) =>
    replaying.attempt(() => own.call('portal.chat.replay', { params: { ...params, deliveryId } }))
  const place: SectionRoute = { room: 'connections', org: org.slug, section: 'chat', id, query }
  return (
    <Loaded question={deliveries}>
      {({ items, total, nextCursor }) => (
        <Log
          {...{ place, total, nextCursor, replaying }}
          states={states.map((name) => ({ id: name, label: t(`connectionsDelivery.${name}`) }))}
          rows={items.map((one) => ({
            id: one.id,
            what: t(`connectionsNews.${one.eventType}`),
            about: [
              t(`connectionsDelivery.${one.status}`),
              shortTime(one.createdAt, locale),
              t('connectionsAttempts', { count: one.attempts }),
            ].join(' · '),
            problem: one.problem,
            mayReplay: one.status !== 'pending',
          }))}
          onReplay={replay}
        />
      )}
    </Loaded>
  )
}
