import { languages } from '@integrity/protocol/texts/languages'
import { useDraft } from '@integrity/shared-ui/hooks/use-draft'
import { looksLikeEmail } from '@integrity/shared-ui/session/send-problem'
import { Actions, Button } from '@integrity/shared-ui/web/button'
import { ChoiceField, EmailField, focusField, LineField } from '@integrity/shared-ui/web/fields'
import { SendProblemNotice } from '@integrity/shared-ui/web/send-problem'
import { type FormEvent, useState } from 'react'
import { useDesk } from '../../parts/desk-context.ts'
import { useLanguage } from '../../parts/language.ts'
import { useWrite } from '../../parts/use-write.ts'

interface Props {
  /** Of the session. */
  readonly id: string
  readonly onDone: () => void
}

const useTelling = ({ id, onDone }: Props) => {
  const { own, org, person, pageMemory } = useDesk()
  const { language } = useLanguage()
  const empty = { email: '', name: '', locale: language.code }
  const draft = useDraft(`interviewer ${person.user.id} ${id}`, empty, pageMemory)
  const { busy, problem, write } = useWrite('portal.interviewers.list')
  const send = () =>
    write(async () => {
      const { email, name, locale } = draft.words
      const body = { email: email.trim(), locale, ...(name.trim() === '' ? {} : { name: name.trim() }) }
      const input = { params: { orgId: org.id, id }, body, idempotencyKey: draft.once() }
      await own.call('portal.interviewers.add', input)
      draft.clear()
      onDone()
    })
  return { draft, busy, problem, send }
}

/** A mail with the sentence, the page and the appointment, in the interviewer's language. */
export const InterviewersForm = (props: Props) => {
  const { t } = useLanguage()
  const { draft, busy, problem, send } = useTelling(props)
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
      <SendProblemNotice problem={problem} conflict={t('interviewersConflict')} />
      <Actions>
        <Button type="submit" kind="main" busy={busy}>
          {t(busy ? 'sending' : 'interviewersSend')}
        </Button>
      </Actions>
    </form>
  )
}
