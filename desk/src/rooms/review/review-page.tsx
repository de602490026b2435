import { Notice, Page } from '@integrity/shared-ui/web/shell'
import { startTransition, useEffect, useState, useSyncExternalStore } from 'react'
import type { Report, ReviewItem } from '../../data/desk-api.ts'
import { useDesk, useMay } from '../../parts/desk-context.ts'
import { useLanguage } from '../../parts/language.ts'
import { Link } from '../../parts/link.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { useEndpoint } from '../../parts/use-endpoint.ts'
import { AccessSection } from './access-section.tsx'
import { AccountSection } from './account-section.tsx'
import { AidsSection } from './aids-section.tsx'
import { MomentsSection } from './moments-section.tsx'
import { NotesSection } from './notes-section.tsx'
import { OpenedStore } from './opened-store.ts'
import { PlayerSection } from './player-section.tsx'
import type { Sent } from './review-player.tsx'
import { RevisionsSection } from './revisions-section.tsx'
import { SignOffSection } from './sign-off-section.tsx'
import { StatementsSection } from './statements-section.tsx'
import { TakeAwaySection } from './take-away-section.tsx'

/** What is to be known of an interview before its report is read. */
const Standing = ({ id, review }: { readonly id: string; readonly review: ReviewItem | undefined }) => {
  const { t } = useLanguage()
  const session = useEndpoint('sessions.detail', { params: { id } })
  return (
    <Loaded question={session}>
      {({ candidateLabel, externalId, state, erasedAt, sandbox, legalHold }) => (
        <>
          <p className="lead">
            <bdi>{candidateLabel ?? t('unnamed')}</bdi>
            {[externalId, sandbox ? t('isSandbox') : null, legalHold ? t('isHeld') : null]
              .filter(Boolean)
              .map((mark) => ` · ${mark}`)}
          </p>
          {erasedAt === null ? null : <Notice>{t('erasedText')}</Notice>}
          {state === 'ended' ? null : <Notice>{t('notEnded')}</Notice>}
          {review?.readiness === 'collecting' ? <Notice>{t('collectingText')}</Notice> : null}
        </>
      )}
    </Loaded>
  )
}

/** Whole seconds of an address; anything else opens where the recording begins. */
const openMsOf = (t: string | undefined): number | undefined =>
  t !== undefined && /^\d{1,6}$/.test(t) ? Number(t) * 1000 : undefined

interface BelowProps {
  readonly id: string
  readonly report: Report
  readonly review: ReviewItem | undefined
  readonly opened: OpenedStore
  readonly onPlay: (momentId: string) => void
}

const Below = ({ id, report, review, opened, onPlay }: BelowProps) => {
  const [seesAccess, exportsReport] = [useMay('access_log.view'), useMay('report.export')]
  const { revision } = report
  return (
    <>
      <AidsSection aids={report.aids} />
      <AccountSection coverage={report.coverage} />
      <MomentsSection id={id} report={report} onPlay={onPlay} />
      <NotesSection id={id} />
      <SignOffSection {...{ id, report, review, opened }} />
      {exportsReport && revision > 0 ? <RevisionsSection key={revision} {...{ id, revision }} /> : null}
      <TakeAwaySection id={id} />
      {seesAccess ? <AccessSection id={id} /> : null}
    </>
  )
}

/** What is below the player waits for it so long, milliseconds: it asks the service for much, and the picture comes first. */
const patienceMs = 1000

/** Whether the player shows something, or is not to be waited for any longer. */
const useBelow = (opened: OpenedStore): boolean => {
  const isReady = useSyncExternalStore(opened.subscribe, opened.isReady)
  const [isShown, setShown] = useState(false)
  useEffect(() => {
    const show = () => startTransition(() => setShown(true))
    if (isReady) return show()
    const timer = setTimeout(show, patienceMs)
    return () => clearTimeout(timer)
  }, [isReady])
  return isShown
}

interface Props {
  readonly id: string
  /** Where the player opens, as the address has it. */
  readonly t?: string | undefined
}

/** One interview as it is reviewed: its account, the words of all sides, and the sign-off of a person. */
export const ReviewPage = ({ id, t: second }: Props) => {
  const { t } = useLanguage()
  const { org } = useDesk()
  const report = useEndpoint('portal.report', { params: { id } })
  const query = { sessionId: id, state: 'all', limit: 1 } as const
  const reviews = useEndpoint('portal.reviews.list', { params: { orgId: org.id }, query })
  const review = reviews.state.name === 'there' ? reviews.state.data.items[0] : undefined
  const [sent, setSent] = useState<Sent>()
  const [opened] = useState(() => new OpenedStore())
  const isBelow = useBelow(opened)
  const { state } = report
  return (
    <Page title={t('reviewTitle')} wide>
      <Standing id={id} review={review} />
      <Loaded question={report}>{({ statements }) => <StatementsSection statements={statements} />}</Loaded>
      {state.name === 'failed' ? null : <PlayerSection {...{ id, sent, opened }} openMs={openMsOf(second)} />}
      {state.name === 'there' && isBelow ? (
        <Below {...{ id, review, opened }} report={state.data} onPlay={(momentId) => setSent({ momentId })} />
      ) : null}
      <p>
        <Link to={{ room: 'interview', org: org.slug, id }}>{t('interviewTitle')}</Link>
      </p>
    </Page>
  )
}
