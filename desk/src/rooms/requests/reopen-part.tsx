import { ConfirmButton } from '@integrity/shared-ui/web/confirm-button'
import { SendProblemNotice } from '@integrity/shared-ui/web/send-problem'
import { useState } from 'react'
import { useDesk } from '../../parts/desk-context.ts'
import { useLanguage } from '../../parts/language.ts'
import { useWrite } from '../../parts/use-write.ts'

/** What a candidate wrote may be a reason to look at an interview again whose review is completed. */
export const ReopenPart = ({ requestId }: { readonly requestId: string }) => {
  const { t } = useLanguage()
  const { own, org } = useDesk()
  const [done, setDone] = useState(false)
  const { busy, problem, write } = useWrite('portal.reviews.list', 'portal.candidateRequests.get')
  const reopen = () =>
    write(async () => {
      await own.call('portal.candidateRequests.reopenReview', { params: { orgId: org.id, requestId }, body: {} })
      setDone(true)
    })
  return (
    <>
      <p role="status">{done ? t('requestsReopened') : null}</p>
      <SendProblemNotice problem={problem} conflict={t('requestsNotCompleted')} />
      {done ? null : (
        <ConfirmButton
          label={t('requestsReopen')}
          title={t('requestsReopenAsk')}
          confirm={t('requestsReopen')}
          cancel={t('requestsReopenNo')}
          busy={busy}
          onConfirm={reopen}
        >
          {t('requestsReopenText')}
        </ConfirmButton>
      )}
    </>
  )
}
