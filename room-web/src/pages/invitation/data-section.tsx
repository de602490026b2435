import { useSending } from '@integrity/shared-ui/hooks/use-sending'
import { Actions, Button } from '@integrity/shared-ui/web/button'
import { SendProblemNotice } from '@integrity/shared-ui/web/send-problem'
import { Folded } from '../../components/folded.tsx'
import { isOpen } from '../../session/invitation-api.ts'
import type { InvitedProps } from './invited-props.ts'
import { useLanguage } from './language.ts'

/** The way to the candidate's requests: the invitation is exchanged for a link to them when the button is pressed. */
export const DataSection = ({ invitation: { call, visit, toRequests }, facts }: InvitedProps) => {
  const { t } = useLanguage()
  const { busy, problem, send } = useSending({ endedBy: (error) => visit.endedBy(error) })
  const exchange = async () => toRequests((await call.ask('candidateRequests.links.invitation', {})).token)
  return (
    <Folded title={t('dataTitle')}>
      <p>{t(isOpen(facts) ? 'dataText' : 'dataTextOver')}</p>
      <SendProblemNotice problem={problem} />
      <Actions>
        <Button busy={busy} onClick={() => send(exchange)}>
          {t('dataOpen')}
        </Button>
      </Actions>
    </Folded>
  )
}
