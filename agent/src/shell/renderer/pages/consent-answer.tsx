import { Actions, Button } from '@integrity/shared-ui/web/button'
import { ConfirmButton } from '@integrity/shared-ui/web/confirm-button'
import { AlertNotice } from '@integrity/shared-ui/web/read-out'
import { useRef, useState } from 'react'
import { useAgent } from '../components/agent.tsx'
import { useLanguage } from '../components/language.tsx'
import { useOrg } from '../components/use-org.ts'
import { type Answers, answersOf, type ConsentView, type LaneName, unanswered } from '../state/consent-answers.ts'

const LaneList = ({ lanes }: { readonly lanes: readonly LaneName[] }) => {
  const { t } = useLanguage()
  return (
    <ul>
      {lanes.map((lane) => (
        <li key={lane}>{t(`lane.${lane}`)}</li>
      ))}
    </ul>
  )
}

const Summary = ({ answers }: { readonly answers: Answers }) => {
  const { t } = useLanguage()
  const named = Object.keys(answers) as LaneName[]
  const declined = named.filter((lane) => !answers[lane])
  return (
    <>
      <p>{t('confirmAgreeText')}</p>
      <LaneList lanes={named.filter((lane) => answers[lane])} />
      {declined.length > 0 ? (
        <>
          <p>{t('confirmAgreeNo')}</p>
          <LaneList lanes={declined} />
        </>
      ) : null}
      <p>{t('confirmAgreeNext')}</p>
    </>
  )
}

interface Props {
  readonly document: ConsentView['document']
  readonly answers: Answers
  readonly onMissing: () => void
  readonly onBack: () => void
}

/** Both answers look the same and take the same steps: neither is the expected one. */
export const ConsentAnswer = ({ document, answers, onMissing, onBack }: Props) => {
  const { t } = useLanguage()
  const { send, busy } = useAgent()
  const org = useOrg()
  const [asked, setAsked] = useState(false)
  const section = useRef<HTMLDivElement>(null)
  const missing = unanswered(document.lanes, answers)
  const full = answersOf(document.lanes, answers)
  const ready = () => {
    const [first] = missing
    if (!first) return true
    setAsked(true)
    onMissing()
    section.current?.ownerDocument.querySelector<HTMLElement>(`[name="answer-${first.lane}"]`)?.focus()
    return false
  }
  return (
    <div ref={section} className="answer-bar">
      <AlertNotice>
        {asked && missing.length > 0 ? (
          <p>{t('answerMissing', { titles: missing.map(({ lane }) => t(`lane.${lane}`)).join(', ') })}</p>
        ) : null}
      </AlertNotice>
      <Actions>
        <ConfirmButton
          label={t('answerAgree')}
          title={t('confirmAgreeTitle')}
          confirm={t('confirmSend')}
          cancel={t('back')}
          busy={busy('consent.agree')}
          before={ready}
          onConfirm={() => send('consent.agree', { hash: document.hash, answers: full })}
        >
          <Summary answers={full} />
        </ConfirmButton>
        <ConfirmButton
          label={t('answerDecline')}
          title={t('confirmDeclineTitle')}
          confirm={t('confirmSend')}
          cancel={t('back')}
          busy={busy('consent.decline')}
          onConfirm={() => send('consent.decline', {})}
        >
          <p>{t('confirmDeclineText', { org })}</p>
        </ConfirmButton>
        <Button kind="quiet" onClick={onBack}>
          {t('back')}
        </Button>
      </Actions>
    </div>
  )
}
