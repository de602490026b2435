import { Section } from '@integrity/shared-ui/web/section'
import { useLocale } from '@integrity/shared-ui/web/spoken'
import { instantOf } from '../../data/appointment.ts'
import type { ReadResult } from '../../data/desk-api.ts'
import { ConsentWords } from '../../parts/consent-words.tsx'
import { useDesk } from '../../parts/desk-context.ts'
import { useLanguage } from '../../parts/language.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { shortTime } from '../../parts/spans.ts'
import { useEndpoint } from '../../parts/use-endpoint.ts'
import { useDrafted } from './use-drafted.ts'
import { configOf, type Words } from './use-scheduling.ts'

interface Props {
  readonly words: Words
}

/** What the message says once it is sent; its link is made then. */
const Letter = ({ words: { name, locale, date, time, zone, minutes } }: Props) => {
  const { t } = useLanguage()
  const spoken = useLocale()
  const { own, org } = useDesk()
  const startsAt = instantOf(zone, { date, time })
  const body = {
    locale,
    ...(name.trim() === '' ? {} : { name: name.trim() }),
    ...(startsAt ? { schedule: { startsAt, durationMinutes: Number(minutes), timeZone: zone } } : {}),
  }
  const { answer, isOld } = useDrafted(body, async (draft) => {
    const input = { params: { orgId: org.id }, body: draft }
    return (await own.call('portal.invitations.preview', input)).data
  })
  if (!answer) return <p role="status">{t(isOld ? 'recordedLetterFailed' : 'loading')}</p>
  return (
    <>
      {isOld ? <p role="status">{t('recordedLetterFailed')}</p> : null}
      <p>
        {t('recordedLetterSubject')} <strong lang={answer.locale}>{answer.subject}</strong>
      </p>
      <div className="letter" lang={answer.locale}>
        {answer.text}
      </div>
      <p className="small">{t('recordedLetterUntil', { at: shortTime(answer.expiresAt, spoken) })}</p>
    </>
  )
}

const OfPolicy = ({ policyId, locale }: { readonly policyId: string; readonly locale: string }) => {
  const { org } = useDesk()
  const params = { orgId: org.id, policyId }
  const document = useEndpoint('portal.policies.consentPreview', { params, query: { locale } })
  return <Loaded question={document}>{(found) => <ConsentWords document={found} />}</Loaded>
}

type Asked = NonNullable<ReturnType<typeof configOf>>
type PolicyConfig = ReadResult<'portal.policies.get'>['config']

/** A policy as it is written, with what is asked for beside it. No policy says what somebody declared. */
const draftOf = ({ aids: { offered, breaks }, audio, ...policy }: PolicyConfig, asked: Asked) => ({
  ...policy,
  aids: { offered, breaks },
  audio: { ...audio, ...asked.audio },
})
type Config = Asked | ReturnType<typeof draftOf> | Record<never, never>

/** Of what is asked for beside a policy, or of an interview without one, which is as the service has it. */
const OfConfig = ({ locale, config }: { readonly locale: string; readonly config: Config }) => {
  const { t } = useLanguage()
  const { own, org } = useDesk()
  const { answer, isOld } = useDrafted({ config, locale }, async (body) => {
    const input = { params: { orgId: org.id }, body }
    return (await own.call('portal.policies.consentPreview.draft', input)).data
  })
  if (!answer) return <p role="status">{t(isOld ? 'recordedLetterFailed' : 'loading')}</p>
  return <ConsentWords document={answer} />
}

/** Of a policy with what is asked for beside it. */
const OfBoth = ({ policyId, locale, asked }: { policyId: string; locale: string; asked: Asked }) => {
  const { org } = useDesk()
  const policy = useEndpoint('portal.policies.get', { params: { orgId: org.id, policyId } })
  return (
    <Loaded question={policy}>{({ config }) => <OfConfig locale={locale} config={draftOf(config, asked)} />}</Loaded>
  )
}

const Consent = ({ words }: Props) => {
  const { policy: policyId, locale } = words
  const asked = configOf(words)
  if (policyId === '') return <OfConfig locale={locale} config={asked ?? {}} />
  return asked ? <OfBoth {...{ policyId, locale, asked }} /> : <OfPolicy {...{ policyId, locale }} />
}

/** What the candidate will be sent and will be asked, in their language and by their clocks, while it is written. */
export const Previews = ({ words }: Props) => {
  const { t } = useLanguage()
  return (
    <div>
      <Section title={t('recordedLetterTitle')}>
        <p>{t('recordedLetterText')}</p>
        <Letter words={words} />
      </Section>
      <Section title={t('recordedConsentTitle')}>
        <p>{t('recordedConsentText')}</p>
        <Consent words={words} />
      </Section>
    </div>
  )
}
