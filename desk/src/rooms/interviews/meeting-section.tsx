import { Actions, Button } from '@integrity/shared-ui/web/button'
import { ConfirmButton } from '@integrity/shared-ui/web/confirm-button'
import { ChoiceField, ExactField, focusField } from '@integrity/shared-ui/web/fields'
import { Section } from '@integrity/shared-ui/web/section'
import { SendProblemNotice } from '@integrity/shared-ui/web/send-problem'
import { type FormEvent, useState } from 'react'
import { useDesk, useMay } from '../../parts/desk-context.ts'
import { useLanguage } from '../../parts/language.ts'
import { useWrite } from '../../parts/use-write.ts'
import { changedByPlan, type Session } from './interview-types.ts'

const providers = ['zoom', 'teams', 'meet', 'webex', 'other'] as const
type Provider = (typeof providers)[number]

interface Props {
  readonly session: Session
}

const MeetingForm = ({ session: { id } }: Props) => {
  const { t } = useLanguage()
  const { own, org } = useDesk()
  const [provider, setProvider] = useState<Provider>('zoom')
  const [url, setUrl] = useState('')
  const [wrong, setWrong] = useState(false)
  const { busy, problem, write } = useWrite(...changedByPlan)
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const isWrong = !/^https:\/\/\S+$/.test(url.trim())
    setWrong(isWrong)
    if (isWrong) return focusField(event.currentTarget, 'url')
    const body = { provider, url: url.trim() }
    write(() => own.call('portal.sessions.meeting.set', { params: { orgId: org.id, id }, body }))
  }
  const isRefused = problem?.kind === 'notAccepted'
  return (
    <form noValidate onSubmit={submit}>
      <ChoiceField
        name="provider"
        label={t('interviewMeetingProvider')}
        value={provider}
        options={providers.map((value) => ({ value, label: t(`interviewProvider.${value}`) }))}
        onChange={(chosen) => setProvider(providers.find((name) => name === chosen) ?? 'other')}
      />
      <ExactField
        name="url"
        label={t('interviewMeetingAddress')}
        value={url}
        onChange={setUrl}
        error={wrong || isRefused ? t('interviewMeetingWrong') : undefined}
        maxLength={2000}
      />
      <SendProblemNotice problem={problem} conflict={t('interviewConflict')} />
      <Actions>
        <Button type="submit" busy={busy}>
          {t(busy ? 'sending' : 'interviewMeetingSave')}
        </Button>
      </Actions>
    </form>
  )
}

const Remove = ({ session: { id } }: Props) => {
  const { t } = useLanguage()
  const { own, org } = useDesk()
  const { busy, problem, write } = useWrite(...changedByPlan)
  return (
    <>
      <SendProblemNotice problem={problem} conflict={t('interviewConflict')} />
      <Actions>
        <ConfirmButton
          label={t('interviewMeetingRemove')}
          title={t('interviewMeetingRemoveTitle')}
          confirm={t('interviewMeetingRemoveYes')}
          cancel={t('interviewGoBack')}
          busy={busy}
          onConfirm={() => write(() => own.call('portal.sessions.meeting.remove', { params: { orgId: org.id, id } }))}
        >
          <p>{t('interviewMeetingRemoveText')}</p>
        </ConfirmButton>
      </Actions>
    </>
  )
}

/** The video call beside the interview. */
export const MeetingSection = ({ session }: Props) => {
  const { t } = useLanguage()
  const manages = useMay('session.manage')
  const { meeting, state, erasedAt } = session
  const mayChange = manages && state !== 'ended' && erasedAt === null
  if (meeting === null && !mayChange) return null
  return (
    <Section title={t('interviewMeeting')}>
      <p role="status">
        {meeting ? (
          <a href={meeting.url} target="_blank" rel="noopener noreferrer">
            {meeting.label ?? meeting.url}
          </a>
        ) : (
          t('interviewMeetingNone')
        )}
      </p>
      {mayChange ? meeting ? <Remove session={session} /> : <MeetingForm session={session} /> : null}
    </Section>
  )
}
