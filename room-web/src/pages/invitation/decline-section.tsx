import { useDraft } from '@integrity/shared-ui/hooks/use-draft'
import { useSending } from '@integrity/shared-ui/hooks/use-sending'
import { Actions, Button } from '@integrity/shared-ui/web/button'
import { WordsField } from '@integrity/shared-ui/web/fields'
import { QuestionDialog, useQuestion } from '@integrity/shared-ui/web/question'
import { SendProblemNotice } from '@integrity/shared-ui/web/send-problem'
import { Folded } from '../../components/folded.tsx'
import type { InvitedProps } from './invited-props.ts'
import { useLanguage } from './language.ts'

const empty = { reason: '' as string }
const mostCharacters = 2_000

/** Declining ends the link, so it is asked once, with what it means. */
export const DeclineSection = ({ invitation: { call, visit, sessionId }, facts }: InvitedProps) => {
  const { t } = useLanguage()
  const question = useQuestion()
  const { words, isEmpty, change, once, clear } = useDraft(`decline ${sessionId}`, empty)
  const { busy, problem, send } = useSending({
    endedBy: (error) => visit.endedBy(error),
    onConflict: () => void visit.refresh(),
  })
  const decline = async () => {
    const reason = words.reason.trim()
    await call.ask('invitations.decline', reason ? { reason } : {}, once())
    clear()
    visit.end('declined')
  }
  return (
    <Folded title={t('declineTitle')} unfolded={!isEmpty}>
      <p>{t('declineText')}</p>
      <Actions>
        <Button onClick={question.ask}>{t('decline')}</Button>
      </Actions>
      <QuestionDialog
        question={question}
        title={t('declineQuestion')}
        text={<p>{t('declineMeans', { org: facts.org.name })}</p>}
      >
        <WordsField
          name="reason"
          label={t('declineReason')}
          optional
          value={words.reason}
          maxLength={mostCharacters}
          onChange={(reason) => change({ reason })}
        />
        <SendProblemNotice problem={problem} conflict={t('declineConflict')} />
        <Actions>
          <Button busy={busy} onClick={() => send(decline)}>
            {t(busy ? 'sending' : 'declineConfirm')}
          </Button>
          <Button onClick={question.close}>{t('cancel')}</Button>
        </Actions>
      </QuestionDialog>
    </Folded>
  )
}
