import { Actions, Button } from '@integrity/shared-ui/web/button'
import { Section } from '@integrity/shared-ui/web/section'
import { SendProblemNotice } from '@integrity/shared-ui/web/send-problem'
import type { Report, ReviewItem } from '../../data/desk-api.ts'
import { useDesk, useMay } from '../../parts/desk-context.ts'
import { useLanguage } from '../../parts/language.ts'
import { useWrite } from '../../parts/use-write.ts'
import { AssignForm } from './assign-form.tsx'
import { BeforeSigning } from './before-signing.tsx'
import type { OpenedStore } from './opened-store.ts'
import { SignOffForm } from './sign-off-form.tsx'

interface Props {
  readonly id: string
  readonly report: Report
  readonly review: ReviewItem | undefined
  readonly opened: OpenedStore
}

/** The actions on a review. Each sends the state that the reviewer saw, so the service can tell the second of two reviewers that it changed. */
const useMoves = (review: ReviewItem) => {
  const { own, org } = useDesk()
  const { busy, problem, write } = useWrite('portal.reviews.list', 'portal.report', 'portal.reviews.assignees')
  const params = { orgId: org.id, reviewId: review.id }
  const giveTo = (assigneeId: string | null) => {
    const body = { assigneeId, expectedAssigneeId: review.assignee?.membershipId ?? null }
    return own.call('portal.reviews.assign', { params, body })
  }
  const moveTo = (state: 'in_review' | 'waiting' | 'completed') =>
    own.call('portal.reviews.move', { params, body: { state, expectedState: review.state } })
  const claim = async () => {
    await giveTo(org.membershipId)
    if (review.state === 'open') await moveTo('in_review')
  }
  return {
    busy,
    problem,
    claim: () => write(claim),
    give: (membershipId: string) => write(() => giveTo(membershipId)),
    handBack: () => write(() => giveTo(null)),
    wait: () => write(() => moveTo('waiting')),
    goOn: () => write(() => moveTo('in_review')),
    complete: () => write(() => moveTo('completed')),
  }
}

interface MovesProps {
  readonly review: ReviewItem
  readonly isMine: boolean
  readonly isSigned: boolean
}

const Moves = ({ review, isMine, isSigned }: MovesProps) => {
  const { t } = useLanguage()
  const mayAssign = useMay('session.review.assign')
  const { busy, problem, claim, give, handBack, wait, goOn, complete } = useMoves(review)
  const { state, assignee } = review
  const isUnderWay = state === 'in_review' || state === 'waiting'
  return (
    <>
      <p>
        {t(`reviewState.${state}`)} {assignee ? t('reviewedBy', { name: assignee.name }) : null}
      </p>
      <SendProblemNotice problem={problem} conflict={t('changedMeanwhile')} />
      {state === 'completed' ? null : (
        <Actions>
          {!isMine && (assignee === null || mayAssign) ? (
            <Button busy={busy} onClick={claim}>
              {t('claim')}
            </Button>
          ) : null}
          {isMine ? (
            <Button busy={busy} onClick={handBack}>
              {t('handBack')}
            </Button>
          ) : null}
          {isUnderWay && (isMine || mayAssign) ? (
            <Button busy={busy} onClick={state === 'waiting' ? goOn : wait}>
              {t(state === 'waiting' ? 'reviewGoOn' : 'reviewWait')}
            </Button>
          ) : null}
          {isUnderWay && isSigned && (isMine || mayAssign) ? (
            <Button kind="main" busy={busy} onClick={complete}>
              {t('complete')}
            </Button>
          ) : null}
        </Actions>
      )}
      {mayAssign && state !== 'completed' ? (
        <AssignForm from={assignee?.membershipId ?? null} busy={busy} onGive={give} />
      ) : null}
    </>
  )
}

/** How the report and its review stand, and where a person signs. */
export const SignOffSection = ({ id, report, review, opened }: Props) => {
  const { t } = useLanguage()
  const { org } = useDesk()
  const [maySign, mayAssign] = [useMay('report.sign_off'), useMay('session.review.assign')]
  const { status, revision } = report
  const isMine = review?.assignee?.membershipId === org.membershipId
  return (
    <Section title={t('signOffTitle')}>
      <BeforeSigning {...{ id, report, review, opened }} />
      <p role="status">{t(`reportStatus.${status}`, { revision })}</p>
      {maySign ? null : <p>{t('mayNotSign')}</p>}
      {maySign && review ? <Moves review={review} isMine={isMine} isSigned={status === 'signed_off'} /> : null}
      {maySign && review && !isMine && !mayAssign ? <p>{t('claimFirst')}</p> : null}
      {maySign && review && (isMine || mayAssign) ? <SignOffForm id={id} report={report} /> : null}
    </Section>
  )
}
