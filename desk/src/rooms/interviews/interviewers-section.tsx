import { Section } from '@integrity/shared-ui/web/section'
import { useLocale } from '@integrity/shared-ui/web/spoken'
import type { ReactNode } from 'react'
import { useDesk, useMay } from '../../parts/desk-context.ts'
import { DisclosedForm } from '../../parts/disclosed-form.tsx'
import { useLanguage } from '../../parts/language.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { shortTime } from '../../parts/spans.ts'
import { useEndpoint } from '../../parts/use-endpoint.ts'
import type { Interviewers, Session } from './interview-types.ts'
import { InterviewerActs } from './interviewer-acts.tsx'
import { InterviewersForm } from './interviewers-form.tsx'

type Interviewer = Interviewers['interviewers'][number]

const recordedName = ({ voice, words }: Interviewers['recorded']) => {
  if (voice) return words ? 'interviewersRecorded.both' : 'interviewersRecorded.voice'
  return words ? 'interviewersRecorded.words' : 'interviewersRecorded.neither'
}

/** Who, when, and by what. */
const Told = ({
  interviewer: { email, name, delivery, told },
  children,
}: {
  readonly interviewer: Interviewer
  readonly children: ReactNode
}) => {
  const { t } = useLanguage()
  const locale = useLocale()
  const parts = [
    ...told.map(({ by, at }) => t(`interviewersTold.${by}`, { at: shortTime(at, locale) })),
    ...(delivery === 'sent' ? [] : [t(`interviewersDelivery.${delivery}`)]),
  ]
  return (
    <li>
      {name === null ? null : (
        <>
          <bdi>{name}</bdi>,{' '}
        </>
      )}
      <bdi dir="ltr">{email}</bdi>
      <br />
      <span className="small" role="status">
        {parts.join(' · ')}
      </span>
      {children}
    </li>
  )
}

const Add = ({ id }: { readonly id: string }) => {
  const { t } = useLanguage()
  return (
    <DisclosedForm label={t('interviewersAdd')}>{(close) => <InterviewersForm id={id} onDone={close} />}</DisclosedForm>
  )
}

/** Which people who speak with the candidate were told that their voice is recorded. */
export const InterviewersSection = ({ session: { id, state, erasedAt } }: { readonly session: Session }) => {
  const { t } = useLanguage()
  const { org } = useDesk()
  const manages = useMay('session.manage')
  const asked = useEndpoint('portal.interviewers.list', { params: { orgId: org.id, id } })
  return (
    <Section title={t('interviewersTitle')}>
      <Loaded question={asked}>
        {({ recorded, interviewers }) => (
          <>
            <p>{t(recordedName(recorded))}</p>
            {interviewers.length === 0 ? <p>{t('interviewersNone')}</p> : null}
            <ul className="plain">
              {interviewers.map((interviewer) => (
                <Told key={interviewer.id} interviewer={interviewer}>
                  {manages && erasedAt === null ? (
                    <InterviewerActs {...{ id, interviewer }} ended={state === 'ended'} />
                  ) : null}
                </Told>
              ))}
            </ul>
          </>
        )}
      </Loaded>
      {manages && state !== 'ended' && erasedAt === null ? <Add id={id} /> : null}
    </Section>
  )
}
