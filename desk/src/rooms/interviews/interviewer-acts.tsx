import { languages } from '@integrity/protocol/texts/languages'
import { useDraft } from '@integrity/shared-ui/hooks/use-draft'
import { looksLikeEmail } from '@integrity/shared-ui/session/send-problem'
import { Actions, Button } from '@integrity/shared-ui/web/button'
import { ConfirmButton } from '@integrity/shared-ui/web/confirm-button'
import { ChoiceField, EmailField, focusField, LineField } from '@integrity/shared-ui/web/fields'
import { SendProblemNotice } from '@integrity/shared-ui/web/send-problem'
import { type FormEvent, useState } from 'react'
import { useDesk } from '../../parts/desk-context.ts'
import { DisclosedForm } from '../../parts/disclosed-form.tsx'
import { useLanguage } from '../../parts/language.ts'
import { useWrite } from '../../parts/use-write.ts'
import type { Interviewers } from './interview-types.ts'

interface Props {
  /** Of the session. */
  readonly id: string
  readonly interviewer: Interviewers['interviewers'][number]
}

const useCorrecting = ({ id, interviewer, onDone }: Props & { readonly onDone: () => void }) => {
  const { own, org, person, pageMemory } = useDesk()
  const { email, name, locale } = interviewer
  const draft = useDraft(
    `interviewer ${person.user.id} ${interviewer.id}`,
    { email, name: name ?? '', locale },
    pageMemory,
  )
  const { busy, problem, write } = useWrite('portal.interviewers.list')
  const send = () =>
    write(async () => {
      const { words } = draft
      const said = words.name.trim()
      const body = { email: words.email.trim(), name: said === '' ? null : said, locale: words.locale }
      const params = { orgId: org.id, id, interviewerId: interviewer.id }
      await own.call('portal.interviewers.correct', { params, body, idempotencyKey: draft.once() })
      draft.clear()
      onDone()
    })
  return { draft, busy, problem, send }
}

/** Another address is another person, who is told by a message of their own. */
const CorrectForm = (props: Props & { readonly onDone: () => void }) => {
  const { t } = useLanguage()
  const { draft, busy, problem, send } = useCorrecting(props)
  const [wrong, setWrong] = useState(false)
  const { email, name, locale } = draft.words
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const isWrong = !looksLikeEmail(email)
    setWrong(isWrong)
    if (isWrong) return focusField(event.currentTarget, 'email')
    send()
  }
  const isRefused = problem?.fields.some((path) => path.includes('email')) ?? false
  return (
    <form noValidate onSubmit={submit}>
      <EmailField
        name="email"
        label={t('interviewersAddress')}
        help={t('interviewersMoves')}
        value={email}
        onChange={(value) => draft.change({ email: value })}
        error={wrong || isRefused ? t('interviewersWrong') : undefined}
      />
      <LineField
        name="name"
        label={t('interviewersName')}
        value={name}
        onChange={(value) => draft.change({ name: value })}
        optional
        maxLength={200}
      />
      <ChoiceField
        name="locale"
        label={t('interviewersLanguage')}
        value={locale}
        options={languages.map(({ code, name: spoken }) => ({ value: code, label: spoken }))}
        onChange={(value) => draft.change({ locale: value })}
      />
      <SendProblemNotice problem={problem} conflict={t('interviewersNotCorrected')} />
      <Actions>
        <Button type="submit" kind="main" busy={busy}>
          {t(busy ? 'sending' : 'interviewersSave')}
        </Button>
      </Actions>
    </form>
  )
}

const Remove = ({ id, interviewer }: Props) => {
  const { t } = useLanguage()
  const { own, org } = useDesk()
  const { busy, problem, write } = useWrite('portal.interviewers.list')
  const who = interviewer.name ?? interviewer.email
  const params = { orgId: org.id, id, interviewerId: interviewer.id }
  return (
    <>
      <ConfirmButton
        label={t('interviewersRemove')}
        longLabel={t('interviewersRemoveOf', { who })}
        kind="stop"
        title={t('interviewersRemoveTitle', { who })}
        confirm={t('interviewersRemove')}
        confirmKind="stop"
        cancel={t('interviewersRemoveNo')}
        busy={busy}
        onConfirm={() => write(async () => void (await own.call('portal.interviewers.remove', { params })))}
      >
        {t('interviewersRemoveText')}
      </ConfirmButton>
      <SendProblemNotice problem={problem} />
    </>
  )
}

/** What may be done about an interviewer; after the interview nobody is written to any more. */
export const InterviewerActs = (props: Props & { readonly ended: boolean }) => {
  const { t } = useLanguage()
  const { id, interviewer, ended } = props
  const who = interviewer.name ?? interviewer.email
  return (
    <>
      {ended ? null : (
        <DisclosedForm label={t('interviewersCorrectOf', { who })}>
          {(close) => <CorrectForm key={`${interviewer.id} ${who}`} {...{ id, interviewer }} onDone={close} />}
        </DisclosedForm>
      )}
      <Remove id={id} interviewer={interviewer} />
    </>
  )
}
