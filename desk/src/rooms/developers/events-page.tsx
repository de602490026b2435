import { Actions, Button } from '@integrity/shared-ui/web/button'
import { AlertNotice } from '@integrity/shared-ui/web/read-out'
import { Section } from '@integrity/shared-ui/web/section'
import { SelectField } from '@integrity/shared-ui/web/select-field'
import { Page } from '@integrity/shared-ui/web/shell'
import { useLocale } from '@integrity/shared-ui/web/spoken'
import type { ListQuery } from '../../data/route.ts'
import { useDesk } from '../../parts/desk-context.ts'
import { useLanguage } from '../../parts/language.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { Pager } from '../../parts/pager.tsx'
import { shortTime } from '../../parts/spans.ts'
import { useEndpoint } from '../../parts/use-endpoint.ts'
import { eventText } from './event-types.ts'
import { type EventItem, useEventStream } from './use-event-stream.ts'

const EventsList = ({ items }: { readonly items: readonly EventItem[] }) => {
  const { t } = useLanguage()
  const locale = useLocale()
  return (
    <ul className="plain">
      {items.map((item) => {
        const text = eventText(item.type)
        return (
          <li key={item.id} data-event={item.id}>
            <details>
              <summary>
                <strong>{item.type}</strong> {text ? t(text) : null}, {shortTime(item.createdAt, locale)}
              </summary>
              <pre className="wire" dir="ltr">
                {JSON.stringify(item, null, 2)}
              </pre>
            </details>
          </li>
        )
      })}
    </ul>
  )
}

const LiveEvents = ({ environment }: { readonly environment: 'live' | 'sandbox' }) => {
  const { t } = useLanguage()
  const { state, items, hasGap, pause, goOn } = useEventStream(environment)
  return (
    <Section title={t('developersLiveEvents')}>
      <p role="status">{t(`developersStream.${state}`)}</p>
      <AlertNotice>{hasGap ? t('developersStreamGap') : null}</AlertNotice>
      <Actions>
        {state === 'paused' ? (
          <Button onClick={goOn}>{t('developersStreamGoOn')}</Button>
        ) : (
          <Button onClick={pause}>{t('developersStreamPause')}</Button>
        )}
      </Actions>
      {items.length === 0 ? <p>{t('developersStreamNone')}</p> : <EventsList items={items} />}
    </Section>
  )
}

interface PastProps {
  readonly environment: 'live' | 'sandbox'
  readonly query: ListQuery
}

const PastEvents = ({ environment, query: { cursor } }: PastProps) => {
  const { t } = useLanguage()
  const { org } = useDesk()
  const events = useEndpoint('portal.events.list', {
    params: { orgId: org.id },
    query: { limit: 20, environment, cursor },
  })
  const at = (query: ListQuery) => ({ room: 'developers', org: org.slug, section: 'events', query }) as const
  return (
    <Section title={t('developersPastEvents')}>
      <Loaded question={events}>
        {({ items, total, nextCursor }) =>
          total === 0 ? (
            <p>{t('developersPastNone')}</p>
          ) : (
            <>
              <EventsList items={items} />
              <Pager
                shown={items.length}
                total={total}
                first={cursor === undefined ? undefined : at({ environment })}
                next={nextCursor === null ? undefined : at({ environment, cursor: nextCursor })}
              />
            </>
          )
        }
      </Loaded>
    </Section>
  )
}

/** The organisation's events, as a receiver gets them: what comes now, and what came. */
export const EventsPage = ({ query }: { readonly query: ListQuery }) => {
  const { t } = useLanguage()
  const { org, navigation } = useDesk()
  const environment = query['environment'] === 'live' ? 'live' : 'sandbox'
  return (
    <Page title={t('developersEvents')} wide>
      <p>{t('developersEventsText')}</p>
      <SelectField
        label={t('developersEnvironment')}
        value={environment}
        options={(['sandbox', 'live'] as const).map((id) => ({ id, label: t(`environment.${id}`) }))}
        onChange={(to) =>
          navigation.go({ room: 'developers', org: org.slug, section: 'events', query: { environment: to } })
        }
      />
      <LiveEvents key={environment} environment={environment} />
      <PastEvents environment={environment} query={query} />
    </Page>
  )
}
