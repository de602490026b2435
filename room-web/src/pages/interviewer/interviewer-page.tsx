import { appointmentTimes, dayAndTime } from '@integrity/shared-ui/session/appointment-times'
import type { Visit } from '@integrity/shared-ui/session/visit'
import { Fact, Facts } from '@integrity/shared-ui/web/facts'
import { HelpLine } from '@integrity/shared-ui/web/help-line'
import { Page, MessagePage as SharedMessagePage, Shell } from '@integrity/shared-ui/web/shell'
import { useLocale } from '@integrity/shared-ui/web/spoken'
import { Visited } from '@integrity/shared-ui/web/visited'
import { useSyncExternalStore } from 'react'
import { usePageBrand } from '../../components/brand.ts'
import type { InterviewerFacts } from '../../session/interviewer-api.ts'
import type { InterviewerText } from '../../texts/interviewer.ts'
import { useLanguage } from './language.ts'

const MessagePage = SharedMessagePage<InterviewerText>

const Appointment = ({ appointment, cancelledAt, removedAt }: InterviewerFacts) => {
  const { t } = useLanguage()
  const locale = useLocale()
  if (removedAt !== null) return <p>{t('interviewerRemoved', { at: dayAndTime(removedAt, locale) })}</p>
  if (appointment === null) return cancelledAt === null ? null : <p>{t('interviewerCancelled')}</p>
  const { own } = appointmentTimes(appointment, locale, Intl.DateTimeFormat().resolvedOptions().timeZone)
  return (
    <p>
      {t('interviewerWhen')}: {own.when} ({own.zone})
    </p>
  )
}

/** What is kept, for how long, who sees it, and whom to ask. */
const Kept = ({ facts }: { readonly facts: InterviewerFacts }) => {
  const { t } = useLanguage()
  const { name, recorded, removedAt, org: asked } = facts
  const org = asked.name
  const intro = removedAt === null ? 'interviewerIntro' : 'interviewerIntroRemoved'
  const contact = asked.brand.privacyContact
  return (
    <Page key="kept" title={t('interviewerTitle')}>
      <p>{name === null ? t(intro, { org }) : t(`${intro}Name`, { name, org })}</p>
      <Appointment {...facts} />
      <Facts kind="terms">
        <Fact name={t('interviewerVoice')}>{t(recorded.voice ? 'interviewerVoiceYes' : 'interviewerVoiceNo')}</Fact>
        <Fact name={t('interviewerWords')}>{t(recorded.words ? 'interviewerWordsYes' : 'interviewerWordsNo')}</Fact>
        <Fact name={t('interviewerName')}>{t('interviewerNameText', { org })}</Fact>
        <Fact name={t('interviewerLong')}>{t('interviewerLongText', { days: recorded.retentionDays })}</Fact>
        <Fact name={t('interviewerReaders')}>{t('interviewerReadersText', { org })}</Fact>
        <Fact name={t('interviewerAsk')}>
          {contact === undefined ? t('interviewerAskOrg', { org }) : t('interviewerAskText', { contact })}
        </Fact>
      </Facts>
      <p className="small">{t('interviewerNever')}</p>
    </Page>
  )
}

const Told = ({ facts }: { readonly facts: InterviewerFacts }) => {
  const locale = useLocale()
  const { erasedAt } = facts
  if (erasedAt === null) return <Kept facts={facts} />
  const at = dayAndTime(erasedAt, locale)
  return <MessagePage key="erased" title="interviewerErasedTitle" text="interviewerErasedText" values={{ at }} />
}

/** What the page says to whoever has no link. */
const General = () => {
  const { t } = useLanguage()
  return (
    <MessagePage key="general" title="interviewerGeneralTitle" text="interviewerGeneralText">
      <p>{t('interviewerGeneralAsk')}</p>
    </MessagePage>
  )
}

interface Props {
  readonly visit: Visit<InterviewerFacts> | undefined
  /** There was something behind the `#` of the address that is no link. */
  readonly broken: boolean
}

const never = () => () => {}

/** Where interviewers read what is kept of them. */
export const InterviewerPage = ({ visit, broken }: Props) => {
  useSyncExternalStore(visit?.subscribe ?? never, () => visit?.state)
  const brand = usePageBrand(visit?.facts?.org)
  return (
    <Shell name={brand?.name} brand={brand} footer={<HelpLine contact={brand?.contact} />}>
      {visit ? <Visited visit={visit}>{(facts) => <Told facts={facts} />}</Visited> : null}
      {visit || broken ? null : <General />}
      {broken ? <MessagePage title="wrongTitle" text="wrongText" /> : null}
    </Shell>
  )
}
