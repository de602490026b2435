import { usePageBrand } from '../components/brand.ts'
import { useLanguage } from '../components/language.tsx'
import type { RoomActions, StateNamed } from '../session/room.states.ts'
import { Actions, Button } from '../ui/button.tsx'
import { AlertNotice } from '../ui/read-out.tsx'
import { Section } from '../ui/section.tsx'
import { Notice, Page } from '../ui/shell.tsx'
import { Welcome } from '../ui/welcome.tsx'

/** Who asks, what is collected, how often, how long it is kept, who can see it. The first part is the service's own. */
export const ConsentPage = ({ state, room }: { readonly state: StateNamed<'consent'>; readonly room: RoomActions }) => {
  const { t, language } = useLanguage()
  const { org, session, device, consentDocument: document } = state.facts
  const values = { org: org.name, days: document.retentionDays, candidate: session.candidateLabel ?? '' }
  const brand = usePageBrand(org)
  const contact = brand?.contact
  const required = document.lanes.some((lane) => lane.required)
  return (
    <Page title={t('consentTitle')}>
      <div role="status">{state.changed ? <Notice kind="attention">{t('consentChanged')}</Notice> : null}</div>
      <p>{t(session.candidateLabel ? 'consentWho' : 'consentWhoNobody', values)}</p>
      <Welcome brand={brand} />
      {device.label ? <p>{t('roomLabel', { label: device.label })}</p> : null}
      <Section card title={t('consentWhat')}>
        {document.lanes.map(({ lane, title, text }) => (
          <div key={lane} lang={document.locale}>
            <h3>{title}</h3>
            <p>{text}</p>
          </div>
        ))}
        {document.locale === language.code ? null : <p className="small">{t('consentLanguage')}</p>}
      </Section>
      <h2>{t('consentHow')}</h2>
      <dl>
        <dt>{t('consentKept')}</dt>
        <dd>{t('consentKeptText', values)}</dd>
        <dt>{t('consentReaders')}</dt>
        <dd>{t('consentReadersText', values)}</dd>
        <dt>{t('consentStored')}</dt>
        <dd>{t('consentStoredText')}</dd>
        <dt>{t('consentNothingElse')}</dt>
        <dd>{t('consentNothingElseText')}</dd>
        {contact ? (
          <>
            <dt>{t('consentContact', values)}</dt>
            <dd>
              <a href={contact.href} target="_blank" rel="noreferrer">
                {contact.text}
              </a>
            </dd>
          </>
        ) : null}
      </dl>
      <h2>{t('consentChoice')}</h2>
      <p>{t(required ? 'consentRequired' : 'consentOptional')}</p>
      <p>{t('consentStop')}</p>
      <AlertNotice>{state.problem ? t('answerNotDelivered') : null}</AlertNotice>
      <Actions>
        {/* Both look the same: neither answer is the expected one. */}
        <Button busy={state.busy} onClick={() => room.answer(true)}>
          {t('consentAgree')}
        </Button>
        <Button busy={state.busy} onClick={() => room.answer(false)}>
          {t('consentDecline')}
        </Button>
      </Actions>
    </Page>
  )
}
