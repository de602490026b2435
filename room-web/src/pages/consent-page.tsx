import { everySeconds } from '@integrity/protocol/clients/how-often'
import { appointmentLine } from '@integrity/protocol/clients/inviter'
import { Actions, Button } from '@integrity/shared-ui/web/button'
import { ConsentTable } from '@integrity/shared-ui/web/consent-table'
import { DocumentWords } from '@integrity/shared-ui/web/document-words'
import { Fact, Facts } from '@integrity/shared-ui/web/facts'
import { AlertNotice } from '@integrity/shared-ui/web/read-out'
import { Notice, Page } from '@integrity/shared-ui/web/shell'
import { useLocale } from '@integrity/shared-ui/web/spoken'
import { Welcome } from '@integrity/shared-ui/web/welcome'
import { usePageBrand } from '../components/brand.ts'
import { useLanguage } from '../components/language.ts'
import type { RoomActions, StateNamed } from '../session/room.states.ts'
import type { ConsentDocument } from '../session/room.types.ts'

type Part = ConsentDocument['lanes'][number]

/** What is collected, in the service's words, and how often. There is one part, so nothing of it is folded. */
const Table = ({ document, seconds }: { readonly document: ConsentDocument; readonly seconds: number | undefined }) => {
  const { t } = useLanguage()
  const often = () => {
    const { key, n } = everySeconds(seconds ?? 1)
    return t(key, { n })
  }
  return (
    <ConsentTable<Part['lane']>
      key={document.hash}
      caption={t('consentTitle')}
      parts={document.lanes}
      nameOf={({ title }) => title}
      often={seconds === undefined ? undefined : often}
      opened={document.lanes.map(({ lane }) => lane)}
      details={({ title, text }) => <DocumentWords locale={document.locale} title={title} text={text} />}
    />
  )
}

/** Who asks, what is collected, how often, how long it is kept, who can see it. */
export const ConsentPage = ({ state, room }: { readonly state: StateNamed<'consent'>; readonly room: RoomActions }) => {
  const { t } = useLanguage()
  const locale = useLocale()
  const { org, session, device, config, consentDocument: document } = state.facts
  const { schedule } = session
  const values = { org: org.name, days: document.retentionDays }
  const brand = usePageBrand(org)
  const required = document.lanes.some((lane) => lane.required)
  return (
    <Page title={t('consentTitle')}>
      <div role="status">{state.changed ? <Notice kind="attention">{t('consentChanged')}</Notice> : null}</div>
      <p>
        {schedule
          ? t('consentWho', { ...values, when: appointmentLine(schedule, locale) })
          : t('consentWhoUndated', values)}
        {device.label ? ` ${t('roomLabel', { label: device.label })}` : null}
      </p>
      <Welcome brand={brand} />
      {/* The policy that is known here is the one before: the new words alone are right. */}
      <Table document={document} seconds={state.changed ? undefined : config.camera.stillIntervalSeconds} />
      <Facts kind="terms">
        <Fact name={t('consentKept')}>{t('consentKeptText', values)}</Fact>
        <Fact name={t('consentReaders')}>{t('consentReadersText', values)}</Fact>
        <Fact name={t('consentStored')}>{t('consentStoredText')}</Fact>
      </Facts>
      <div lang={document.locale}>
        {document.notice?.map((text) => (
          <p key={text}>{text}</p>
        ))}
      </div>
      <p>
        {t(required ? 'consentRequired' : 'consentOptional')} {t('consentStop')}
      </p>
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
