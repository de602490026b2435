import { SelectField } from '@integrity/shared-ui/web/select-field'
import { Page } from '@integrity/shared-ui/web/shell'
import { useLocale } from '@integrity/shared-ui/web/spoken'
import type { ListQuery } from '../../data/route.ts'
import { useDesk, useMay } from '../../parts/desk-context.ts'
import { Link } from '../../parts/link.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Pager } from '../../parts/pager.tsx'
import { shortTime } from '../../parts/spans.ts'
import { useEndpoint } from '../../parts/use-endpoint.ts'
import { peopleAt } from './people.ts'
import { inPeopleLanguage, useLanguage } from './people-language.tsx'
import { EditPolicyPage, NewPolicyPage } from './policy-editor.tsx'
import { PolicyPage } from './policy-page.tsx'

const states = ['active', 'archived', 'all'] as const

const PolicyList = ({ query }: { readonly query: ListQuery }) => {
  const { t } = useLanguage()
  const locale = useLocale()
  const { org, navigation } = useDesk()
  const state = states.find((one) => one === query['state']) ?? 'active'
  const { cursor } = query
  const policies = useEndpoint('portal.policies.list', {
    params: { orgId: org.id },
    query: { limit: 50, state, ...(cursor ? { cursor } : {}) },
  })
  const at = (to: ListQuery) => peopleAt(org, 'policies', undefined, to)
  return (
    <>
      <SelectField
        label={t('columnState')}
        value={state}
        options={states.map((id) => ({ id, label: t(`peoplePolicyState.${id}`) }))}
        onChange={(chosen) => navigation.go(at({ state: chosen }))}
      />
      <Loaded question={policies}>
        {({ items, total, nextCursor }) =>
          total === 0 ? (
            <p>{t('peopleNoPolicies')}</p>
          ) : (
            <>
              <ul className="plain people">
                {items.map(({ id, name, description, version, updatedAt, state: now }) => (
                  <li key={id}>
                    <p>
                      <Link to={peopleAt(org, 'policies', id)}>{name}</Link>
                      <br />
                      <span className="small">
                        {[
                          t('peopleVersion', { n: version }),
                          t(`peoplePolicyState.${now}`),
                          shortTime(updatedAt, locale),
                          description,
                        ]
                          .filter(Boolean)
                          .join(' · ')}
                      </span>
                    </p>
                  </li>
                ))}
              </ul>
              <Pager
                shown={items.length}
                total={total}
                first={cursor === undefined ? undefined : at({ state })}
                next={nextCursor === null ? undefined : at({ state, cursor: nextCursor })}
              />
            </>
          )
        }
      </Loaded>
    </>
  )
}

interface Props {
  readonly id?: string | undefined
  readonly query: ListQuery
}

/** What interviews capture: the organisation's policies, one of them, or its editor. */
export const PoliciesPage = inPeopleLanguage(function Policies({ id, query }: Props) {
  const { t } = useLanguage()
  const { org } = useDesk()
  const mayWrite = useMay('policy.manage')
  if (id === 'new') return <NewPolicyPage />
  if (id !== undefined && query['edit']) return <EditPolicyPage key={`${id} edit`} id={id} />
  if (id !== undefined) return <PolicyPage key={id} id={id} query={query} />
  return (
    <Page title={t('peoplePoliciesSection')} wide>
      <p>{t('peoplePoliciesText')}</p>
      {mayWrite ? (
        <p>
          <Link to={peopleAt(org, 'policies', 'new')}>{t('peopleNewPolicy')}</Link>
        </p>
      ) : null}
      <PolicyList query={query} />
    </Page>
  )
})
