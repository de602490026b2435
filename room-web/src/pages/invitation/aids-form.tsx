import { useSending } from '@integrity/shared-ui/hooks/use-sending'
import { Actions, Button } from '@integrity/shared-ui/web/button'
import { focusField } from '@integrity/shared-ui/web/fields'
import { SendProblemNotice } from '@integrity/shared-ui/web/send-problem'
import { Notice } from '@integrity/shared-ui/web/shell'
import { type FormEvent, useState } from 'react'
import type { OpenInvitation } from '../../browser/open-invitation.ts'
import type { Declaring } from '../../session/invitation-api.ts'
import { AidChoice, aidOrder, type Choice, wantedOf } from './aids-choice.tsx'
import { useLanguage } from './language.ts'

interface Props {
  readonly invitation: OpenInvitation
  readonly org: string
  readonly declaring: Declaring
  readonly onSent: () => void
}

const usualBreaks = { count: 1, minutes: 5 }

/** Declares aids. Nothing asks for a reason. */
export const AidsForm = ({ invitation: { call, visit }, org, declaring, onSent }: Props) => {
  const { t } = useLanguage()
  const atFirst: Choice = { details: {}, breaks: declaring.breaks ?? usualBreaks }
  const [choice, setChoice] = useState(atFirst)
  const [missing, setMissing] = useState<'choice' | 'tool'>()
  const [sent, setSent] = useState(false)
  const { busy, problem, send } = useSending({ endedBy: (error) => visit.endedBy(error), onConflict: onSent })
  const aids = wantedOf(choice)
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    setSent(false)
    const noTool = aids.some(({ aid, detail }) => aid === 'ai_tool' && detail === undefined)
    setMissing(aids.length === 0 ? 'choice' : noTool ? 'tool' : undefined)
    if (noTool) return focusField(event.currentTarget, 'ai_toolDetail')
    if (aids.length === 0) return
    send(async () => {
      await call.ask('candidateRequests.aids', { aids })
      setChoice(atFirst)
      setSent(true)
      onSent()
    })
  }
  return (
    <form noValidate onSubmit={submit}>
      <fieldset>
        <legend>{t('aidsChoose')}</legend>
        {aidOrder.map((aid) => (
          <AidChoice
            key={aid}
            {...{ aid, org, declaring, choice }}
            toolMissing={missing === 'tool'}
            onChange={setChoice}
          />
        ))}
      </fieldset>
      <SendProblemNotice problem={problem} />
      <Actions>
        <Button type="submit" busy={busy}>
          {t(busy ? 'sending' : 'aidsSend')}
        </Button>
      </Actions>
      <div role="status">
        {missing === 'choice' ? <p className="wrong">{t('aidsMissing')}</p> : null}
        {sent ? <Notice>{t('aidsSent', { org })}</Notice> : null}
      </div>
    </form>
  )
}
