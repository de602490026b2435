import { useDraft } from '@integrity/shared-ui/hooks/use-draft'
import { Fact, Facts } from '@integrity/shared-ui/web/facts'
import { ExactField } from '@integrity/shared-ui/web/fields'
import { Section } from '@integrity/shared-ui/web/section'
import { Page } from '@integrity/shared-ui/web/shell'
import { useLocale } from '@integrity/shared-ui/web/spoken'
import type { ListQuery } from '../../data/route.ts'
import { useDesk, useMay } from '../../parts/desk-context.ts'
import { Link } from '../../parts/link.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { shortTime } from '../../parts/spans.ts'
import { useEndpoint } from '../../parts/use-endpoint.ts'
import { HoldForm } from './hold-form.tsx'
import { inPeopleLanguage, useLanguage } from './people-language.tsx'

/** The hold of the whole organisation, for whoever may see the rules of retention. */
const OrgHold = () => {
  const { t } = useLanguage()
  const locale = useLocale()
  const { org } = useDesk()
  const rules = useEndpoint('portal.retention.get', { params: { orgId: org.id } })
  return (
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
  )
}

const reasonIn = (payload: Readonly<Record<string, unknown>> | undefined): string | undefined => {
  const reason = payload?.['reason']
  return typeof reason === 'string' ? reason : undefined
}

/** Every placing and releasing that the audit trail has, newest first. */
const HoldHistory = () => {
  const { t } = useLanguage()
  const locale = useLocale()
  const { org } = useDesk()
  const params = { orgId: org.id }
  const [placed, released] = [
    useEndpoint('portal.auditLogs.list', { params, query: { action: 'legal_hold.placed', limit: 50 } }),
    useEndpoint('portal.auditLogs.list', { params, query: { action: 'legal_hold.released', limit: 50 } }),
  ]
  return (
    <Loaded question={placed}>
      {(first) => (
        <Loaded question={released}>
          {(second) => {
            const rows = [...first.items, ...second.items].toSorted((a, b) => b.seq - a.seq)
            return rows.length === 0 ? (
              <p>{t('peopleNoHolds')}</p>
            ) : (
              <ul className="plain people">
                {rows.map(({ seq, at, action, actor, sessionId, payload }) => (
                  <li key={seq}>
                    <p>
                      {t(action === 'legal_hold.placed' ? 'peopleHoldPlaced' : 'peopleHoldReleased')}{' '}
                      {sessionId === null ? (
                        t('peopleWholeOrg')
                      ) : (
                        <Link to={{ room: 'interview', org: org.slug, id: sessionId }}>{sessionId}</Link>
                      )}
                      <br />
                      <span className="small">
                        {[reasonIn(payload), actor.label ?? actor.id, shortTime(at, locale)]
                          .filter(Boolean)
                          .join(' · ')}
                      </span>
                    </p>
                  </li>
                ))}
              </ul>
            )
          }}
        </Loaded>
      )}
    </Loaded>
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
      <Section title={t('peopleOrgHold')}>
        {seesRules ? <OrgHold /> : null}
        <HoldForm sessionId={undefined} />
      </Section>
      <Section title={t('peopleSessionHold')}>
        <SessionHold named={query['session'] ?? ''} />
      </Section>
      {seesTrail ? (
        <Section title={t('peopleHoldHistory')}>
          <HoldHistory />
        </Section>
      ) : null}
    </Page>
  )
})
