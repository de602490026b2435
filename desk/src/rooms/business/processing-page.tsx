import { Actions, Button } from '@integrity/shared-ui/web/button'
import { Fact, Facts } from '@integrity/shared-ui/web/facts'
import { Section } from '@integrity/shared-ui/web/section'
import { Page } from '@integrity/shared-ui/web/shell'
import { useLocale } from '@integrity/shared-ui/web/spoken'
import type { ReadResult } from '../../data/desk-api.ts'
import { useDesk } from '../../parts/desk-context.ts'
import { useLanguage } from '../../parts/language.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { useEndpoint } from '../../parts/use-endpoint.ts'
import type { DeskText } from '../../words/desk.ts'
import { utcTime } from './times.ts'

type Processing = ReadResult<'portal.compliance.dataProcessing'>

const roles: Readonly<Record<string, DeskText>> = {
  owner: 'role.owner',
  admin: 'role.admin',
  interviewer: 'role.interviewer',
  reviewer: 'role.reviewer',
}

/** What can be collected; the words are those that candidates read, in English. */
const Collected = ({ lanes }: Pick<Processing, 'lanes'>) => {
  const { t } = useLanguage()
  return (
    <Section title={t('businessCollected')}>
      <p>{t('businessCollectedText')}</p>
      {lanes.map(({ lane, whatIsCollected, whereAskedFor, evidenceTypes, defaultOn, mayDecline }) => (
        <div key={lane} className="whole">
          <h3>{t(`lane.${lane}`)}</h3>
          <p lang="en">{whatIsCollected}</p>
          {whereAskedFor.length === 0 ? null : (
            <ul lang="en">
              {whereAskedFor.map((words) => (
                <li key={words}>{words}</li>
              ))}
            </ul>
          )}
          <p className="small">
            {[
              t(defaultOn ? 'businessUsuallyOn' : 'businessUsuallyOff'),
              t(mayDecline ? 'businessMayDecline' : 'businessMayNotDecline'),
              evidenceTypes.map((type) => t(`type.${type}`)).join(', '),
            ]
              .filter(Boolean)
              .join(' · ')}
          </p>
        </div>
      ))}
    </Section>
  )
}

const Readers = ({ readers, apiKeys, ownRecipients }: Pick<Processing, 'readers' | 'apiKeys' | 'ownRecipients'>) => {
  const { t } = useLanguage()
  const locale = useLocale()
  return (
    <Section title={t('businessReaders')}>
      <Facts>
        {readers.map(({ role, roleId, members }) => {
          const known = roleId === null ? roles[role] : undefined
          return (
            <Fact key={roleId ?? role} name={known ? t(known) : role}>
              {t('businessReaderMembers', { members })}
            </Fact>
          )
        })}
        <Fact name={t('businessReaderKeys')}>{apiKeys}</Fact>
        {ownRecipients.map(({ label, since }) => (
          <Fact key={since} name={t('businessSealedTo', { label })}>
            {t('businessSealedSince', { at: utcTime(since, locale) })}
          </Fact>
        ))}
      </Facts>
    </Section>
  )
}

const Destinations = ({ destinations }: Pick<Processing, 'destinations'>) => {
  const { t } = useLanguage()
  return (
    <Section title={t('businessDestinations')}>
      <ul>
        {destinations.map(({ kind, name, region, host }) => (
          <li key={[kind, name, host].join(' ')}>
            {t(`businessDestination.${kind}`)}: {[name, region, host].filter(Boolean).join(', ')}
          </li>
        ))}
      </ul>
    </Section>
  )
}

const Kept = ({ retention: { days, longestDays, cappedBy, holds } }: Pick<Processing, 'retention'>) => {
  const { t } = useLanguage()
  return (
    <Section title={t('businessKept')}>
      <p>
        {t('businessKeptFor', { days })} {t('businessKeptLongest', { days: longestDays })}{' '}
        {cappedBy === 'plan' ? t('businessKeptByPlan') : null}{' '}
        {holds === 0 ? null : t('businessHolds', { count: holds })}
      </p>
      <p>{t('businessNoDecisions')}</p>
    </Section>
  )
}

/** What happens to candidates' data in this organisation, made anew at each request, as a statement that can be printed. */
export const ProcessingPage = () => {
  const { t } = useLanguage()
  const locale = useLocale()
  const { org } = useDesk()
  const processing = useEndpoint('portal.compliance.dataProcessing', { params: { orgId: org.id } })
  return (
    <Page title={t('businessProcessing')} wide>
      <Loaded question={processing}>
        {({ generatedAt, lanes, destinations, retention, ...readers }) => (
          <>
            <p>{t('businessStatement', { org: org.name, at: utcTime(generatedAt, locale) })}</p>
            <div className="unprinted">
              <Actions>
                <Button kind="main" onClick={() => print()}>
                  {t('businessPrint')}
                </Button>
              </Actions>
            </div>
            <Collected lanes={lanes} />
            <Readers {...readers} />
            <Destinations destinations={destinations} />
            <Kept retention={retention} />
          </>
        )}
      </Loaded>
    </Page>
  )
}
