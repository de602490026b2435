import { useLocale } from '@integrity/shared-ui/web/spoken'
import type { ReadResult } from '../../data/desk-api.ts'
import { useDesk } from '../../parts/desk-context.ts'
import { useLanguage } from '../../parts/language.ts'
import { Link } from '../../parts/link.tsx'
import type { DeskText } from '../../words/desk.ts'
import { type AuditChoice, choiceOf } from './audit-query.ts'
import { utcTime } from './times.ts'

type Entry = ReadResult<'portal.auditLogs.list'>['items'][number]

/** Who acted, where the service knows no name for them. */
const kinds: Readonly<Record<string, DeskText>> = {
  user: 'businessActorPerson',
  account: 'businessActorPerson',
  refresh: 'businessActorPerson',
  desk_operator: 'businessActorOperator',
  operator: 'businessActorOperator',
  system: 'businessActorService',
  api_key: 'businessActorKey',
  agent: 'businessActorAgent',
  companion: 'businessActorPhone',
  room: 'businessActorRoom',
  download: 'businessActorDownload',
  link: 'businessActorLink',
  scim: 'businessActorDirectory',
  anonymous: 'businessActorAnybody',
}

const Only = ({ label, part }: { readonly label: DeskText; readonly part: Partial<AuditChoice> }) => {
  const { t } = useLanguage()
  const { org } = useDesk()
  const query = { ...choiceOf({}), ...part } as AuditChoice
  return (
    <li>
      <Link to={{ room: 'organisation', org: org.slug, section: 'audit', query }}>{t(label)}</Link>
    </li>
  )
}

/** What an entry says beyond its sentence, and lists of more like it. */
const More = ({ entry }: { readonly entry: Entry }) => {
  const { t } = useLanguage()
  const { seq, action, actor, target, sessionId, payload, hash } = entry
  return (
    <details>
      <summary>{t('businessEntry', { seq })}</summary>
      <ul>
        <li>
          <code>{action}</code>
        </li>
        <li>
          {t('businessTarget')}: <code>{target}</code>
        </li>
        <li>
          {t('businessActorId')}: <code>{actor.id}</code>
        </li>
        <li>
          {t('businessHash')}: <code>{hash}</code>
        </li>
        <Only label="businessOnlyAction" part={{ action }} />
        {kinds[actor.kind] === 'businessActorPerson' ? (
          <Only label="businessOnlyPerson" part={{ person: actor.id }} />
        ) : null}
        {sessionId === null ? null : <Only label="businessOnlyInterview" part={{ session: sessionId }} />}
      </ul>
      {payload ? <pre>{JSON.stringify(payload, null, 2)}</pre> : null}
    </details>
  )
}

const Row = ({ entry }: { readonly entry: Entry }) => {
  const { t } = useLanguage()
  const { org } = useDesk()
  const locale = useLocale()
  const { at, actor, action, text, sessionId } = entry
  const kind = kinds[actor.kind]
  return (
    <tr>
      <td>{utcTime(at, locale)}</td>
      <td>{actor.label ?? (kind ? t(kind) : actor.kind)}</td>
      <td>
        {text ?? <code>{action}</code>}
        <More entry={entry} />
      </td>
      <td>
        {sessionId === null ? null : (
          <Link to={{ room: 'interview', org: org.slug, id: sessionId }}>{t('businessOpenInterview')}</Link>
        )}
      </td>
    </tr>
  )
}

/** Entries of the audit trail, one a row. */
export const AuditTable = ({ items }: { readonly items: readonly Entry[] }) => {
  const { t } = useLanguage()
  return (
    <div className="scrolled">
      <table className="list entries">
        <caption className="unseen">{t('businessAudit')}</caption>
        <thead>
          <tr>
            <th scope="col">{t('businessTimeUtc')}</th>
            <th scope="col">{t('businessWho')}</th>
            <th scope="col">{t('businessWhat')}</th>
            <th scope="col">{t('businessInterview')}</th>
          </tr>
        </thead>
        <tbody>
          {items.map((entry) => (
            <Row key={entry.seq} entry={entry} />
          ))}
        </tbody>
      </table>
    </div>
  )
}
