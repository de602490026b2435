import { languages } from '@integrity/protocol/texts/languages'
import { useDraft } from '@integrity/shared-ui/hooks/use-draft'
import { looksLikeEmail } from '@integrity/shared-ui/session/send-problem'
import { Actions, Button } from '@integrity/shared-ui/web/button'
import { ChoiceField, EmailField, focusField, WordsField } from '@integrity/shared-ui/web/fields'
import { SendProblemNotice } from '@integrity/shared-ui/web/send-problem'
import { type FormEvent, useState } from 'react'
import { useDesk } from '../../parts/desk-context.ts'
import { useLanguage } from '../../parts/language.ts'
import { useWrite } from '../../parts/use-write.ts'
import { changedByPlan, type Session } from './interview-types.ts'

interface Props {
  readonly session: Session
  readonly onDone: () => void
}

const useInviting = ({ session: { id, candidateLabel }, onDone }: Props) => {
  const { own, org, person, pageMemory } = useDesk()
  const { language } = useLanguage()
  const empty = { email: '', locale: language.code, message: '' }
  const draft = useDraft(`invite ${person.user.id} ${id}`, empty, pageMemory)
  const { busy, problem, write } = useWrite(...changedByPlan)
  const send = () =>
    write(async () => {
      const { email, locale, message } = draft.words
      const body = {
        email: email.trim(),
        locale,
        ...(candidateLabel === null ? {} : { name: candidateLabel }),
        ...(message.trim() === '' ? {} : { message: message.trim() }),
      }
      const input = { params: { orgId: org.id, id }, body, idempotencyKey: draft.once() }
      await own.call('portal.invitations.create', input)
      draft.clear()
      onDone()
    })
  return { draft, busy, problem, send }
}

/** A mail with a link, in the candidate's language. */
export const InviteForm = (props: Props) => {
  const { t } = useLanguage()
  const { draft, busy, problem, send } = useInviting(props)
  const [wrong, setWrong] = useState(false)
  const { email, locale, message } = draft.words
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
        label={t('interviewInviteAddress')}
        value={email}
        onChange={(value) => draft.change({ email: value })}
        error={wrong || isRefused ? t('inviteWrong') : undefined}
      />
      <ChoiceField
        name="locale"
        label={t('interviewInviteLanguage')}
        value={locale}
        options={languages.map(({ code, name }) => ({ value: code, label: name }))}
        onChange={(value) => draft.change({ locale: value })}
      />
      <WordsField
        name="message"
        label={t('interviewInviteMessage')}
        value={message}
        onChange={(value) => draft.change({ message: value })}
        optional
        maxLength={2000}
      />
      <SendProblemNotice problem={problem} conflict={t('interviewConflict')} />
      <Actions>
        <Button type="submit" kind="main" busy={busy}>
          {t(busy ? 'sending' : 'interviewInviteSend')}
        </Button>
      </Actions>
    </form>
  )
}
