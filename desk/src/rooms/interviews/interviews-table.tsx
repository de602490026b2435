import { useLocale } from '@integrity/shared-ui/web/spoken'
import type { SessionItem } from '../../data/desk-api.ts'
import { useDesk } from '../../parts/desk-context.ts'
import { useLanguage } from '../../parts/language.ts'
import { Link } from '../../parts/link.tsx'
import { shortTime } from '../../parts/spans.ts'

const timeOf = ({ endedAt, startedAt, schedule, createdAt }: SessionItem): string =>
  endedAt ?? startedAt ?? schedule?.startsAt ?? createdAt

const Row = ({ session }: { readonly session: SessionItem }) => {
  const { t } = useLanguage()
  const locale = useLocale()
  const { org } = useDesk()
  const { id, candidateLabel, externalId, state, sandbox, legalHold, erasedAt } = session
  const marks = [
    sandbox ? t('isSandbox') : null,
    legalHold ? t('isHeld') : null,
    erasedAt === null ? null : t('isErased', { at: shortTime(erasedAt, locale) }),
  ].filter(Boolean)
  return (
    <tr>
      <th scope="row">
        <Link to={{ room: 'interview', org: org.slug, id }}>{candidateLabel ?? t('unnamed')}</Link>
      </th>
      <td>{externalId}</td>
      <td>{[t(`state.${state}`), ...marks].join(' · ')}</td>
      <td>{shortTime(timeOf(session), locale)}</td>
    </tr>
  )
}

/** Interviews, one a row. */
export const InterviewsTable = ({ items }: { readonly items: readonly SessionItem[] }) => {
  const { t } = useLanguage()
  return (
    <div className="scrolled">
      <table className="list">
        <caption className="unseen">{t('interviewsTitle')}</caption>
        <thead>
          <tr>
            <th scope="col">{t('columnCandidate')}</th>
            <th scope="col">{t('columnReference')}</th>
            <th scope="col">{t('columnState')}</th>
            <th scope="col">{t('columnTime')}</th>
          </tr>
        </thead>
        <tbody>
          {items.map((session) => (
            <Row key={session.id} session={session} />
          ))}
        </tbody>
      </table>
    </div>
  )
}
