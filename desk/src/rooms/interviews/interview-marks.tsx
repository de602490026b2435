import { Notice } from '@integrity/shared-ui/web/shell'
import { useDesk, useMay } from '../../parts/desk-context.ts'
import { useLanguage } from '../../parts/language.ts'
import { useEndpoint } from '../../parts/use-endpoint.ts'
import type { Session } from './interview-types.ts'

/** Parts of a recording may still come after the end; the queue of reviews knows. */
const Collecting = ({ id }: { readonly id: string }) => {
  const { t } = useLanguage()
  const { org } = useDesk()
  const query = { sessionId: id, state: 'all', limit: 1 } as const
  const { state } = useEndpoint('portal.reviews.list', { params: { orgId: org.id }, query })
  const review = state.name === 'there' ? state.data.items[0] : undefined
  return review?.readiness === 'collecting' ? <Notice>{t('collectingText')}</Notice> : null
}

/** What has to be known of an interview before anything of it is used. */
export const InterviewMarks = ({ session }: { readonly session: Session }) => {
  const { t } = useLanguage()
  const seesReviews = useMay('report.view')
  const { id, state, sandbox, legalHold, erasedAt } = session
  return (
    <>
      {sandbox ? <Notice>{t('interviewSandboxText')}</Notice> : null}
      {legalHold ? <Notice>{t('interviewHeldText')}</Notice> : null}
      {erasedAt === null ? null : <Notice>{t('erasedText')}</Notice>}
      {seesReviews && state === 'ended' && erasedAt === null ? <Collecting id={id} /> : null}
    </>
  )
}
