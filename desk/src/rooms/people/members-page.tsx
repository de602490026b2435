import { Actions, Button } from '@integrity/shared-ui/web/button'
import { ChoiceField, LineField } from '@integrity/shared-ui/web/fields'
import { Page } from '@integrity/shared-ui/web/shell'
import { type FormEvent, useState } from 'react'
import type { ListQuery, Route } from '../../data/route.ts'
import { useDesk, useMay } from '../../parts/desk-context.ts'
import { Link } from '../../parts/link.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Pager } from '../../parts/pager.tsx'
import { useEndpoint } from '../../parts/use-endpoint.ts'
import { AddMemberPage } from './add-member-page.tsx'
import { MemberRow } from './member-row.tsx'
import { builtInRoles, peopleAt } from './people.ts'
import { inPeopleLanguage, useLanguage } from './people-language.tsx'

interface SearchProps {
  readonly query: ListQuery
  readonly onSearch: (query: ListQuery) => void
}

const Search = ({ query, onSearch }: SearchProps) => {
  const { t } = useLanguage()
  const [q, setQ] = useState(query['q'] ?? '')
  const any = { value: '', label: t('anyState') }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onSearch({ ...query, q: q.trim() })
  }
  return (
    <search>
      <form className="filters" onSubmit={submit}>
        <LineField name="q" label={t('peopleSearch')} value={q} onChange={setQ} maxLength={100} />
        <ChoiceField
          name="role"
          label={t('peopleRole')}
          value={query['role'] ?? ''}
          options={[any, ...builtInRoles.map((value) => ({ value, label: t(`role.${value}`) }))]}
          onChange={(role) => onSearch({ ...query, role })}
        />
        <ChoiceField
          name="active"
          label={t('peopleActive')}
          value={query['active'] ?? ''}
          options={[
            any,
            { value: 'true', label: t('peopleIsActive') },
            { value: 'false', label: t('peopleIsDeactivated') },
          ]}
          onChange={(active) => onSearch({ ...query, active })}
        />
        <Actions>
          <Button type="submit">{t('peopleSearchButton')}</Button>
        </Actions>
      </form>
    </search>
  )
}

const states = ['true', 'false'] as const

const narrowed = ({ q, role, active, cursor }: ListQuery) => ({
  limit: 50,
  ...(q ? { q } : {}),
  role: builtInRoles.find((name) => name === role),
  active: states.find((state) => state === active),
  ...(cursor ? { cursor } : {}),
})

const MemberList = ({ query }: { readonly query: ListQuery }) => {
  const { t } = useLanguage()
  const { org, navigation } = useDesk()
  const members = useEndpoint('portal.members.list', { params: { orgId: org.id }, query: narrowed(query) })
  const { cursor, ...filters } = query
  const at = (to: ListQuery): Route => peopleAt(org, 'members', undefined, to)
  return (
    <>
      <Search key={query['q']} query={filters} onSearch={(to) => navigation.go(at(to))} />
      <Loaded question={members}>
        {({ items, total, nextCursor }) =>
          total === 0 ? (
            <p>{t('peopleNoneFits')}</p>
          ) : (
            <>
              <ul className="plain people">
                {items.map((member) => (
                  <MemberRow key={member.id} member={member} />
                ))}
              </ul>
              <Pager
                shown={items.length}
                total={total}
                first={cursor === undefined ? undefined : at(filters)}
                next={nextCursor === null ? undefined : at({ ...filters, cursor: nextCursor })}
              />
            </>
          )
        }
      </Loaded>
    </>
  )
}

/** Who belongs to the organisation, and where somebody is added. */
export const MembersPage = inPeopleLanguage(function Members({
  id,
  query,
}: {
  readonly id?: string | undefined
  readonly query: ListQuery
}) {
  const { t } = useLanguage()
  const { org } = useDesk()
  const mayManage = useMay('member.manage')
  if (id === 'add') return <AddMemberPage />
  return (
    <Page title={t('peopleSection')} wide>
      <p>{t('peopleMembersText')}</p>
      {mayManage ? (
        <p className="pager">
          <Link to={peopleAt(org, 'members', 'add')}>{t('peopleAdd')}</Link>
          <Link to={peopleAt(org, 'invites')}>{t('peopleInvite')}</Link>
        </p>
      ) : null}
      <MemberList query={query} />
    </Page>
  )
})
