import { useDraft } from '@integrity/shared-ui/hooks/use-draft'
import { Fact, Facts } from '@integrity/shared-ui/web/facts'
import { ExactField } from '@integrity/shared-ui/web/fields'
import { Section } from '@integrity/shared-ui/web/section'
import { Page } from '@integrity/shared-ui/web/shell'
import { useLocale } from '@integrity/shared-ui/web/spoken'
import type { ListQuery } from '../../data/route.ts'
import { useDesk, useMay } from '../../parts/desk-context.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { shortTime } from '../../parts/spans.ts'
import { useEndpoint } from '../../parts/use-endpoint.ts'
import { HoldForm, type Placed } from './hold-form.tsx'
import { HeldInterviews, HoldHistory } from './hold-history.tsx'
import { inPeopleLanguage, useLanguage } from './people-language.tsx'

const HoldFacts = ({ hold, none }: { readonly hold: Placed['legalHold']; readonly none: string }) => {
  const { t } = useLanguage()
  const locale = useLocale()
  if (!hold) return <p>{none}</p>
  return (
    <Facts>
      <Fact name={t('peopleHoldReason')}>{hold.reason}</Fact>
      <Fact name={t('peopleHoldSince')}>{shortTime(hold.since, locale)}</Fact>
      <Fact name={t('peopleHoldBy')}>{hold.by.label ?? hold.by.id}</Fact>
    </Facts>
  )
}

/** The hold of the whole organisation, for whoever may see the rules of retention. */
const OrgHold = () => {
  const { t } = useLanguage()
  const { org } = useDesk()
  const rules = useEndpoint('portal.retention.get', { params: { orgId: org.id } })
  const { state } = rules
  return (
    <>
      <Loaded question={rules}>{({ legalHold }) => <HoldFacts hold={legalHold} none={t('peopleOrgNotHeld')} />}</Loaded>
      <HoldForm sessionId={undefined} placed={state.name === 'there' ? state.data : undefined} />
    </>
  )
}

/** The hold of an interview whose number is there as a whole. */
const HoldOfSession = ({ id }: { readonly id: string }) => {
  const { t } = useLanguage()
  const { org } = useDesk()
  const hold = useEndpoint('portal.retention.sessions.holdOf', { params: { orgId: org.id, sessionId: id } })
  const { state } = hold
  return (
    <>
      <Loaded question={hold}>
        {({ legalHold }) => <HoldFacts hold={legalHold} none={t('peopleSessionNotHeld')} />}
      </Loaded>
      <HoldForm sessionId={id} placed={state.name === 'there' ? state.data : undefined} />
    </>
  )
}

/** So long is the number of an interview: until it is all there, nothing is asked. */
const isWhole = (id: string): boolean => /^ses_\w{26}$/.test(id)

/** One interview, by its number. */
const SessionHold = ({ named }: { readonly named: string }) => {
  const { t } = useLanguage()
  const { org, person, pageMemory } = useDesk()
  const draft = useDraft(`held ${person.user.id} ${org.id} ${named}`, { sessionId: named }, pageMemory)
  const { sessionId } = draft.words
  const id = sessionId.trim()
  return (
    <>
      <ExactField
        name="sessionId"
        label={t('peopleSessionNumber')}
        help={t('peopleSessionHelp')}
        value={sessionId}
        onChange={(typed) => draft.change({ sessionId: typed })}
        maxLength={60}
      />
      {isWhole(id) ? <HoldOfSession key={id} id={id} /> : <HoldForm sessionId={id} placed={undefined} />}
    </>
  )
}

/** What may not be deleted, and why. */
export const HoldsPage = inPeopleLanguage(function Holds({ query }: { readonly query: ListQuery }) {
  const { t } = useLanguage()
  const [seesRules, seesTrail] = [useMay('retention.manage'), useMay('audit.view')]
  return (
    <Page title={t('peopleHoldsSection')} wide>
      <p>{t('peopleHoldsText')}</p>
      <Section title={t('peopleOrgHold')}>
        {seesRules ? <OrgHold /> : <HoldForm sessionId={undefined} placed={undefined} />}
      </Section>
      <Section title={t('peopleSessionHold')}>
        <SessionHold named={query['session'] ?? ''} />
      </Section>
      {seesTrail ? (
        <>
          <Section title={t('peopleHeld')}>
            <HeldInterviews />
          </Section>
          <Section title={t('peopleHoldHistory')}>
            <HoldHistory />
          </Section>
        </>
      ) : null}
    </Page>
  )
})
