import { useLocale } from '@integrity/shared-ui/web/spoken'
import type { ReactNode } from 'react'
import type { ReadResult } from '../../data/desk-api.ts'
import { useDesk } from '../../parts/desk-context.ts'
import { Link } from '../../parts/link.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { shortTime } from '../../parts/spans.ts'
import { useEndpoint } from '../../parts/use-endpoint.ts'
import { heldIn } from './held.ts'
import { peopleAt } from './people.ts'
import { useLanguage } from './people-language.tsx'

type Entry = ReadResult<'portal.auditLogs.list'>['items'][number]

const most = 100

interface TrailProps {
  /** Given the newest entries, newest first. */
  readonly children: (entries: readonly Entry[]) => ReactNode
}

/** The newest placings and releasings of the audit trail, and the way to those before them. */
const Trail = ({ children }: TrailProps) => {
  const { t } = useLanguage()
  const { org } = useDesk()
  const params = { orgId: org.id }
  const placed = useEndpoint('portal.auditLogs.list', { params, query: { action: 'legal_hold.placed', limit: most } })
  const released = useEndpoint('portal.auditLogs.list', {
    params,
    query: { action: 'legal_hold.released', limit: most },
  })
  return (
    <Loaded question={placed}>
      {(first) => (
        <Loaded question={released}>
          {(second) => (
            <>
              {children([...first.items, ...second.items].toSorted((a, b) => b.seq - a.seq))}
              {first.nextCursor === null && second.nextCursor === null ? null : (
                <p>
                  {t('peopleHoldsEarlier', { n: most })}{' '}
                  <Link to={peopleAt(org, 'audit', undefined, { action: 'legal_hold.placed' })}>
                    {t('businessAudit')}
                  </Link>
                </p>
              )}
            </>
          )}
        </Loaded>
      )}
    </Loaded>
  )
}

const reasonIn = (payload: Readonly<Record<string, unknown>> | undefined): string | undefined => {
  const reason = payload?.['reason']
  return typeof reason === 'string' ? reason : undefined
}

const About = ({ entry: { payload, actor, at } }: { readonly entry: Entry }) => {
  const locale = useLocale()
  return (
    <span className="small">
      {[reasonIn(payload), actor.label ?? actor.id, shortTime(at, locale)].filter(Boolean).join(' · ')}
    </span>
  )
}

/** Which interviews a hold of their own keeps now, with its reason. */
export const HeldInterviews = () => {
  const { t } = useLanguage()
  const { org } = useDesk()
  return (
    <Trail>
      {(entries) => {
        const held = heldIn(entries)
        return (
          <>
            <p>{t('peopleHeldSum', { n: held.length })}</p>
            <ul className="plain rows">
              {held.map((entry) => (
                <li key={entry.seq}>
                  <Link to={{ room: 'interview', org: org.slug, id: entry.sessionId ?? '' }}>{entry.sessionId}</Link>
                  <About entry={entry} />
                </li>
              ))}
            </ul>
          </>
        )
      }}
    </Trail>
  )
}

/** Every placing and releasing, newest first. */
export const HoldHistory = () => {
  const { t } = useLanguage()
  const { org } = useDesk()
  return (
    <Trail>
      {(entries) =>
        entries.length === 0 ? (
          <p>{t('peopleNoHolds')}</p>
        ) : (
          <ul className="plain people">
            {entries.map((entry) => (
              <li key={entry.seq}>
                <p>
                  {t(entry.action === 'legal_hold.placed' ? 'peopleHoldPlaced' : 'peopleHoldReleased')}{' '}
                  {entry.sessionId === null ? (
                    t('peopleWholeOrg')
                  ) : (
                    <Link to={{ room: 'interview', org: org.slug, id: entry.sessionId }}>{entry.sessionId}</Link>
                  )}
                  <br />
                  <About entry={entry} />
                </p>
              </li>
            ))}
          </ul>
        )
      }
    </Trail>
  )
}
