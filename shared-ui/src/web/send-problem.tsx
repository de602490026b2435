import type { SendProblem } from '../session/send-problem.ts'
import { useLinkLanguage } from './link-language.ts'
import { AlertNotice } from './read-out.tsx'

interface Props {
  readonly problem: SendProblem | undefined
  /** What a conflict means here; without it, that it was not accepted. */
  readonly conflict?: string
  readonly tooMany?: string
}

/** Why something was not sent, read out when it appears. */
export const SendProblemNotice = ({ problem, conflict, tooMany }: Props) => {
  const { t } = useLinkLanguage()
  const texts = {
    notReached: t('notReached'),
    tooMany: tooMany ?? t('tooMany'),
    conflict: conflict ?? t('notAccepted'),
    notAccepted: t('notAccepted'),
  }
  return <AlertNotice>{problem ? texts[problem.kind] : null}</AlertNotice>
}
