import { AlertNotice } from '@integrity/shared-ui/web/read-out'
import { SendProblemNotice } from '@integrity/shared-ui/web/send-problem'
import { useLanguage } from '../../../parts/language.ts'
import type { Attempt } from './use-attempt.ts'

interface Props {
  readonly of: Pick<Attempt, 'problem' | 'refusal' | 'end'>
  /** What is said when it is done. */
  readonly done?: string
}

/** How an attempt ended, read out: the service's words where it refused, or why it was not reached. */
export const Outcome = ({ of: { problem, refusal, end }, done }: Props) => {
  const { t } = useLanguage()
  return (
    <>
      {refusal ? (
        <AlertNotice>{t('connectionsRefused', { words: refusal.words })}</AlertNotice>
      ) : (
        <SendProblemNotice problem={problem} />
      )}
      <AlertNotice>{end === 'meanwhile' ? t('connectionsMeanwhile') : null}</AlertNotice>
      <p role="status">{end === 'done' ? done : null}</p>
    </>
  )
}
