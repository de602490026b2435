import { day, dayAndTime } from '@integrity/shared-ui/session/appointment-times'
import { Section } from '@integrity/shared-ui/web/section'
import { useLocale } from '@integrity/shared-ui/web/spoken'
import type { Declaring } from '../../session/invitation-api.ts'
import { AidsForm } from './aids-form.tsx'
import type { InvitedProps } from './invited-props.ts'
import { useLanguage } from './language.ts'
import { useDeclaring } from './use-declaring.ts'

interface PartProps {
  readonly declaring: Declaring
  readonly org: string
}

const Declared = ({ declaring: { declared }, org }: PartProps) => {
  const { t } = useLanguage()
  if (declared.length === 0) return null
  return (
    <>
      <h3>{t('aidsDeclared')}</h3>
      <ul>
        {declared.map(({ aid, state, detail, breaks, text }) => (
          <li key={aid} data-aid={aid}>
            <span>{text}</span> {breaks ? <span>{t('aidsBreaks', { ...breaks })}. </span> : null}
            {detail ? <q>{detail}</q> : null} <strong>{t(`aidState.${state}`, { org })}</strong>
          </li>
        ))}
      </ul>
    </>
  )
}

/** The words of both sides about aids and accommodations, and until when an answer is due. */
const Answers = ({ declaring: { requests }, org }: PartProps) => {
  const { t } = useLanguage()
  const locale = useLocale()
  const written = requests
    .filter(({ kind, decidedAt, messages }) => {
      const answered = messages.some(({ from }) => from === 'organisation')
      return kind === 'accommodation' || decidedAt === null || answered
    })
    // What was declared is above, in the language of the page.
    .map(({ messages, ...request }) => ({
      ...request,
      messages: messages.filter(({ from }) => request.kind === 'accommodation' || from === 'organisation'),
    }))
  if (written.length === 0) return null
  return (
    <>
      <h3>{t('aidsAnswers', { org })}</h3>
      {written.map(({ id, decidedAt, answerDueAt, messages }) => (
        <article key={id} className="card">
          {messages.map((message) => (
            <div key={message.id}>
              <p className="small">
                {t(message.from === 'candidate' ? 'aidsYou' : 'aidsOrg', { org, at: dayAndTime(message.at, locale) })}
              </p>
              <blockquote className="written">{message.text}</blockquote>
            </div>
          ))}
          {decidedAt === null && answerDueAt ? <p>{t('aidsDue', { org, at: day(answerDueAt, locale) })}</p> : null}
        </article>
      ))}
    </>
  )
}

/** What the candidate uses or needs: declared before the consent, with what the organisation answered. */
export const AidsSection = ({ invitation, facts }: InvitedProps) => {
  const { t } = useLanguage()
  const org = facts.org.name
  const { declaring, read } = useDeclaring(invitation)
  if (!declaring) return null
  return (
    <Section title={t('aidsTitle')}>
      <Declared declaring={declaring} org={org} />
      <Answers declaring={declaring} org={org} />
      <p>{t(declaring.open ? 'aidsText' : 'aidsBegun', { org })}</p>
      {declaring.open ? (
        <AidsForm invitation={invitation} org={org} declaring={declaring} onSent={() => void read()} />
      ) : null}
    </Section>
  )
}
