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
import { HoldForm } from './hold-form.tsx'
import { HeldInterviews, HoldHistory } from './hold-history.tsx'
import { inPeopleLanguage, useLanguage } from './people-language.tsx'

/** The hold of the whole organisation, for whoever may see the rules of retention. */
const OrgHold = () => {
  const { t } = useLanguage()
  const locale = useLocale()
  const { org } = useDesk()
  const rules = useEndpoint('portal.retention.get', { params: { orgId: org.id } })
  const { state } = rules
  return (
    <>
      <Loaded question={rules}>
        {({ legalHold }) =>
          legalHold ? (
            <Facts>
              <Fact name={t('peopleHoldReason')}>{legalHold.reason}</Fact>
              <Fact name={t('peopleHoldSince')}>{shortTime(legalHold.since, locale)}</Fact>
              <Fact name={t('peopleHoldBy')}>{legalHold.by.label ?? legalHold.by.id}</Fact>
            </Facts>
          ) : (
            <p>{t('peopleOrgNotHeld')}</p>
          )
        }
      </Loaded>
      <HoldForm sessionId={undefined} version={state.name === 'there' ? state.data.version : undefined} />
    </>
  )
}

/** One interview, by its number. */
const SessionHold = ({ named }: { readonly named: string }) => {
  const { t } = useLanguage()
  const { org, person, pageMemory } = useDesk()
  const draft = useDraft(`held ${person.user.id} ${org.id} ${named}`, { sessionId: named }, pageMemory)
  const { sessionId } = draft.words
  return (
    <HoldForm sessionId={sessionId.trim()}>
      <ExactField
        name="sessionId"
        label={t('peopleSessionNumber')}
        help={t('peopleSessionHelp')}
        value={sessionId}
        onChange={(typed) => draft.change({ sessionId: typed })}
        maxLength={60}
      />
    </HoldForm>
  )
}

/** What may not be deleted, and why. */
export const HoldsPage = inPeopleLanguage(function Holds({ query }: { readonly query: ListQuery }) {
  const { t } = useLanguage()
  const [seesRules, seesTrail] = [useMay('retention.manage'), useMay('audit.view')]
  return (
    <Page title={t('peopleHoldsSection')} wide>
      <p>{t('peopleHoldsText')}</p>
      <Section title={t('peopleOrgHold')}>{seesRules ? <OrgHold /> : <HoldForm sessionId={undefined} />}</Section>
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
