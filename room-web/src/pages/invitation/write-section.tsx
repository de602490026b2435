import { useDraft } from '@integrity/shared-ui/hooks/use-draft'
import { useSending } from '@integrity/shared-ui/hooks/use-sending'
import { dayAndTime } from '@integrity/shared-ui/session/appointment-times'
import { looksLikeEmail } from '@integrity/shared-ui/session/send-problem'
import { Actions, Button } from '@integrity/shared-ui/web/button'
import { EmailField, focusField, WordsField } from '@integrity/shared-ui/web/fields'
import { SendProblemNotice } from '@integrity/shared-ui/web/send-problem'
import { Notice } from '@integrity/shared-ui/web/shell'
import { useLocale } from '@integrity/shared-ui/web/spoken'
import { type FormEvent, useId, useState } from 'react'
import { Folded } from '../../components/folded.tsx'
import type { ContactTopic } from '../../session/invitation-api.ts'
import type { InvitedProps } from './invited-props.ts'
import { useLanguage } from './language.ts'

const topics = ['question', 'new_time', 'accommodation'] as const satisfies readonly ContactTopic[]
const empty = { topic: 'question' as string, text: '', replyTo: '' }
const mostCharacters = 5_000

const topicOf = (value: string): ContactTopic => topics.find((topic) => topic === value) ?? 'question'

const TopicField = ({ value, onChange }: { readonly value: string; readonly onChange: (value: string) => void }) => {
  const { t } = useLanguage()
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>{t('writeTopic')}</label>
      <select id={id} value={topicOf(value)} onChange={({ target }) => onChange(target.value)}>
        {topics.map((topic) => (
          <option key={topic} value={topic}>
            {t(`topic.${topic}`)}
          </option>
        ))}
      </select>
    </div>
  )
}

/** The form for a message to the inviter. The text stays in the form until it has been sent. */
export const WriteSection = ({ invitation: { call, visit, time, sessionId }, facts }: InvitedProps) => {
  const { t } = useLanguage()
  const locale = useLocale()
  const { words, isEmpty, change, once, clear } = useDraft(`message ${sessionId}`, empty)
  const { busy, problem, send } = useSending({ endedBy: (error) => visit.endedBy(error) })
  const [missing, setMissing] = useState<'text' | 'replyTo'>()
  const [sentAt, setSentAt] = useState<string>()
  const replyTo = words.replyTo.trim()
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const wrong = words.text.trim() === '' ? 'text' : replyTo !== '' && !looksLikeEmail(replyTo) ? 'replyTo' : undefined
    setMissing(wrong)
    if (wrong) return focusField(event.currentTarget, wrong)
    send(async () => {
      const body = { topic: topicOf(words.topic), text: words.text, ...(replyTo ? { replyTo } : {}) }
      const answer = await call.ask('invitations.contact', body, once())
      clear()
      setSentAt(answer.sentAt ?? new Date(time.now()).toISOString())
    })
  }
  const replyWrong = missing === 'replyTo' || problem?.fields.includes('replyTo')
  return (
    <Folded title={t('writeTitle')} unfolded={!isEmpty}>
      <p>{t('writeText', { org: facts.org.name })}</p>
      <form noValidate onSubmit={submit}>
        <TopicField value={words.topic} onChange={(topic) => change({ topic })} />
        <WordsField
          name="text"
          label={t('writeWords')}
          value={words.text}
          maxLength={mostCharacters}
          error={missing === 'text' ? t('writeWordsMissing') : undefined}
          onChange={(text) => change({ text })}
        />
        <EmailField
          name="replyTo"
          label={t('writeReply')}
          optional
          help={t('writeReplyHelp')}
          value={words.replyTo}
          error={replyWrong ? t('writeReplyWrong') : undefined}
          onChange={(value) => change({ replyTo: value })}
        />
        <SendProblemNotice problem={problem} />
        <Actions>
          <Button type="submit" busy={busy}>
            {t(busy ? 'sending' : 'writeSend')}
          </Button>
        </Actions>
      </form>
      <div role="status">{sentAt ? <Notice>{t('writeSent', { at: dayAndTime(sentAt, locale) })}</Notice> : null}</div>
      <p className="small">{t('writeNumber', { number: sessionId })}</p>
    </Folded>
  )
}
