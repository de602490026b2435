import { useLocale } from '@integrity/shared-ui/web/spoken'
import type { ListQuery, SectionRoute } from '../../../data/route.ts'
import { useDesk } from '../../../parts/desk-context.ts'
import { useLanguage } from '../../../parts/language.ts'
import { Loaded } from '../../../parts/loaded.tsx'
import { shortTime } from '../../../parts/spans.ts'
import { useAttempt } from '../../../parts/use-attempt.ts'
import { useEndpoint } from '../../../parts/use-endpoint.ts'
import { Log } from '../parts/log.tsx'

const states = ['pending', 'done', 'ignored', 'failed'] as const

interface Props {
  readonly id: string
  readonly query: ListQuery
}

/** What came in from a hiring system and what went out to it. */
export const SystemLog = ({ id, query }: Props) => {
  const { t } = useLanguage()
  const locale = useLocale()
  const { own, org } = useDesk()
  const params = { orgId: org.id, configId: id }
  const status = states.find((name) => name === query['status'])
  const cursor = query['cursor']
  const narrowed = { limit: 20, ...(status ? { status } : {}), ...(cursor === undefined ? {} : { cursor }) }
  const syncs = useEndpoint('portal.ats.sync', { params, query: narrowed })
  const replaying = useAttempt('portal.ats.sync')
  const replay = (syncId: string) =>
    replaying.attempt(() => own.call('portal.ats.replay', { params: { ...params, syncId } }))
  const place: SectionRoute = { room: 'connections', org: org.slug, section: 'hiring-systems', id, query }
  return (
    <Loaded question={syncs}>
      {({ items, total, nextCursor }) => (
        <Log
          {...{ place, total, nextCursor, replaying }}
          states={states.map((name) => ({ id: name, label: t(`connectionsSync.${name}`) }))}
          rows={items.map((sync) => ({
            id: sync.id,
            what: t(`connectionsWhat.${sync.what}`),
            about: [
              t(`connectionsSync.${sync.status}`),
              shortTime(sync.createdAt, locale),
              sync.applicationId,
              t('connectionsAttempts', { count: sync.attempts }),
            ]
              .filter(Boolean)
              .join(' · '),
            problem: sync.problem,
            mayReplay: sync.status === 'failed',
          }))}
          onReplay={replay}
        />
      )}
    </Loaded>
  )
}
