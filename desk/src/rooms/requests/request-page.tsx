import { dayAndTime } from '@integrity/shared-ui/session/appointment-times'
import { Fact, Facts } from '@integrity/shared-ui/web/facts'
import { Section } from '@integrity/shared-ui/web/section'
import { Page } from '@integrity/shared-ui/web/shell'
import { useLocale } from '@integrity/shared-ui/web/spoken'
import { useDesk, useMay } from '../../parts/desk-context.ts'
import { useLanguage } from '../../parts/language.ts'
import { Link } from '../../parts/link.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { useEndpoint } from '../../parts/use-endpoint.ts'
import { AnswerSection } from './answer-section.tsx'
import { ReopenPart } from './reopen-part.tsx'
import { RequestFacts } from './request-facts.tsx'
import type { RequestItem } from './request-names.ts'
import { StoredSection } from './stored-section.tsx'

const Conversation = ({ messages }: Pick<RequestItem, 'messages'>) => {
  const { t } = useLanguage()
  const locale = useLocale()
  return (
    <Section title={t('requestsWords')}>
      {messages.length === 0 ? <p>{t('requestsNoWords')}</p> : null}
      {messages.map(({ id, at, from, text }) => (
        <blockquote key={id} className="written">
          <p dir="auto">{text}</p>
          <footer>
            {t(from === 'candidate' ? 'requestsFromCandidate' : 'requestsFromUs', { at: dayAndTime(at, locale) })}
          </footer>
        </blockquote>
      ))}
    </Section>
  )
}

const Ways = ({ request: { session } }: { readonly request: RequestItem }) => {
  const { t } = useLanguage()
  const { org } = useDesk()
  const [seesSession, seesReview] = [useMay('session.view'), useMay('report.view')]
  return (
    <Facts>
      <Fact name={t('columnCandidate')}>
        <bdi>{session.candidateLabel ?? t('unnamed')}</bdi>
        {session.externalId === null ? null : ` · ${session.externalId}`}
      </Fact>
      {seesSession ? (
        <Fact name={t('interviewTitle')}>
          <Link to={{ room: 'interview', org: org.slug, id: session.id }}>{t('requestsOpenInterview')}</Link>
        </Fact>
      ) : null}
      {seesReview ? (
        <Fact name={t('reviewTitle')}>
          <Link to={{ room: 'review', org: org.slug, id: session.id }}>{t('requestsOpenReview')}</Link>
        </Fact>
      ) : null}
    </Facts>
  )
}

const Read = ({ request }: { readonly request: RequestItem }) => {
  const { kind, decidedAt, messages } = request
  const [decides, reopens] = [useMay('candidate_request.manage'), useMay('session.review.assign')]
  return (
    <>
      <Ways request={request} />
      <RequestFacts request={request} />
      <Conversation messages={messages} />
      {decides && (kind === 'access' || kind === 'erasure') && decidedAt === null ? (
        <StoredSection request={request} />
      ) : (
        <AnswerSection request={request} preview={undefined} />
      )}
      {reopens ? <ReopenPart requestId={request.id} /> : null}
    </>
  )
}

/** What one candidate asks for, what would happen, and the answer. Its title names nobody, as a window's title is seen by others. */
export const RequestPage = ({ id }: { readonly id: string }) => {
  const { t } = useLanguage()
  const { org } = useDesk()
  const request = useEndpoint('portal.candidateRequests.get', { params: { orgId: org.id, requestId: id } })
  return (
    <Page title={t('requestsTitle')} wide>
      <Loaded question={request}>{(found) => <Read request={found} />}</Loaded>
      <p>
        <Link to={{ room: 'requests', org: org.slug, query: {} }}>{t('requestsBack')}</Link>
      </p>
    </Page>
  )
}
