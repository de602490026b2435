import { sizeWords } from '@integrity/protocol/clients/size-words'
import { Fact, Facts } from '@integrity/shared-ui/web/facts'
import { Section } from '@integrity/shared-ui/web/section'
import { Notice } from '@integrity/shared-ui/web/shell'
import { useLocale } from '@integrity/shared-ui/web/spoken'
import { useDesk } from '../../parts/desk-context.ts'
import { useLanguage } from '../../parts/language.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { shortTime } from '../../parts/spans.ts'
import { useEndpoint } from '../../parts/use-endpoint.ts'
import { type DeskText, deskLanguages } from '../../words/desk.ts'
import { AnswerSection } from './answer-section.tsx'
import type { Preview, RequestItem } from './request-names.ts'

const names = deskLanguages[0].texts
/** A type that this page does not know yet is shown by its name in the interface. */
const nameOf = (type: string): DeskText | undefined =>
  Object.hasOwn(names, `type.${type}`) ? (`type.${type}` as DeskText) : undefined

const Stored = ({ preview: { collected, eventCount } }: { readonly preview: Preview }) => {
  const { t } = useLanguage()
  const locale = useLocale()
  if (collected.length === 0 && eventCount === 0) return <p>{t('requestsStoredNothing')}</p>
  return (
    <Facts kind="sums">
      {collected.map(({ evidenceType, objects, sizeBytes }) => {
        const name = nameOf(evidenceType)
        return (
          <Fact key={evidenceType} name={name ? t(name) : evidenceType}>
            {t('requestsStored', { n: objects, size: sizeWords(sizeBytes, locale) })}
          </Fact>
        )
      })}
      {eventCount > 0 ? <Fact name={t('requestsEvents')}>{eventCount.toLocaleString(locale)}</Fact> : null}
    </Facts>
  )
}

/** Why nothing can be deleted now. */
const Hindrance = ({ preview: { state, legalHold, erasedAt } }: { readonly preview: Preview }) => {
  const { t } = useLanguage()
  const locale = useLocale()
  return (
    <>
      {erasedAt === null ? null : <Notice>{t('requestsErased', { at: shortTime(erasedAt, locale) })}</Notice>}
      {state === 'live' ? <Notice>{t('requestsStillLive')}</Notice> : null}
      {legalHold ? <Notice>{t('requestsHeld')}</Notice> : null}
    </>
  )
}

/** What an approval gives out or deletes, before it is decided, and the decision below it. */
export const StoredSection = ({ request }: { readonly request: RequestItem }) => {
  const { t } = useLanguage()
  const { org } = useDesk()
  const preview = useEndpoint('portal.candidateRequests.preview', { params: { orgId: org.id, requestId: request.id } })
  const erases = request.kind === 'erasure'
  return (
    <>
      <Section title={t(erases ? 'requestsAwayTitle' : 'requestsOutTitle')}>
        <p>{t(erases ? 'requestsAwayText' : 'requestsOutText')}</p>
        <Loaded question={preview}>
          {(found) => (
            <>
              <Stored preview={found} />
              {erases ? <Hindrance preview={found} /> : null}
            </>
          )}
        </Loaded>
      </Section>
      <AnswerSection request={request} preview={preview.state.name === 'there' ? preview.state.data : undefined} />
    </>
  )
}
