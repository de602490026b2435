import { Section } from '@integrity/shared-ui/web/section'
import { Page } from '@integrity/shared-ui/web/shell'
import type { ListQuery } from '../../data/route.ts'
import { useDesk, useMay } from '../../parts/desk-context.ts'
import { Link } from '../../parts/link.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Scrolled } from '../../parts/scrolled.tsx'
import { useEndpoint } from '../../parts/use-endpoint.ts'
import { builtInRoles, type CustomRole, type Matrix, peopleAt } from './people.ts'
import { inPeopleLanguage, useLanguage } from './people-language.tsx'
import { RoleEditor } from './role-editor.tsx'

/** Each permission as a sentence, and which built-in roles hold it. */
const MatrixTable = ({ matrix }: { readonly matrix: Matrix }) => {
  const { t } = useLanguage()
  return (
    <Scrolled label={t('peopleMatrix')}>
      <table className="list">
        <caption className="unseen">{t('peopleMatrix')}</caption>
        <thead>
          <tr>
            <th scope="col">{t('peoplePermission')}</th>
            {builtInRoles.map((role) => (
              <th key={role} scope="col">
                {t(`role.${role}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {matrix.map(({ permission, builtIn }) => (
            <tr key={permission}>
              <th scope="row">{t(`peopleMay.${permission}`)}</th>
              {builtInRoles.map((role) => (
                <td key={role}>{builtIn[role] ? t('peopleYes') : '–'}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Scrolled>
  )
}

/** Who holds it, by name as far as one page of members tells. */
const Holders = ({ role }: { readonly role: CustomRole }) => {
  const { t } = useLanguage()
  const { org } = useDesk()
  const members = useEndpoint('portal.members.list', { params: { orgId: org.id }, query: { limit: 100 } })
  const items = members.state.name === 'there' ? members.state.data.items : []
  const names = items.filter(({ customRole }) => customRole?.id === role.id).map(({ name, email }) => name ?? email)
  const more = role.holders - names.length
  if (role.holders === 0) return <p>{t('peopleNoHolders')}</p>
  return (
    <p>
      {t('peopleHolders', { n: role.holders })} {names.join(', ')}
      {more > 0 ? ` ${t('peopleMoreHolders', { n: more })}` : null}
    </p>
  )
}

const RoleCard = ({ role }: { readonly role: CustomRole }) => {
  const { t } = useLanguage()
  const { org } = useDesk()
  const mayManage = useMay('role.manage')
  const { id, name, description, permissions } = role
  return (
    <li>
      <h3>{name}</h3>
      {description === '' ? null : <p>{description}</p>}
      <Holders role={role} />
      <details>
        <summary>{t('peoplePermissionCount', { n: permissions.length })}</summary>
        <ul>
          {permissions.map((permission) => (
            <li key={permission}>{t(`peopleMay.${permission}`)}</li>
          ))}
        </ul>
      </details>
      {mayManage ? (
        <p>
          <Link to={peopleAt(org, 'roles', id)}>{t('peopleChange', { name })}</Link>
        </p>
      ) : null}
    </li>
  )
}

/** What each role may do, and the organisation's own roles. */
export const RolesPage = inPeopleLanguage(function Roles({
  id,
}: {
  readonly id?: string | undefined
  readonly query: ListQuery
}) {
  const { t } = useLanguage()
  const { org } = useDesk()
  const mayManage = useMay('role.manage')
  const roles = useEndpoint('portal.roles.list', { params: { orgId: org.id } })
  const title = id === 'new' ? 'peopleNewRole' : id === undefined ? 'peopleRolesSection' : 'peopleRoleTitle'
  return (
    <Page title={t(title)} wide>
      <Loaded question={roles}>
        {({ items, matrix }) =>
          id === undefined ? (
            <>
              <Section title={t('peopleCustomRoles')}>
                {items.length === 0 ? <p>{t('peopleNoRoles')}</p> : null}
                <ul className="plain people">
                  {items.map((role) => (
                    <RoleCard key={role.id} role={role} />
                  ))}
                </ul>
                {mayManage ? <Link to={peopleAt(org, 'roles', 'new')}>{t('peopleNewRole')}</Link> : null}
              </Section>
              <Section title={t('peopleMatrix')}>
                <MatrixTable matrix={matrix} />
              </Section>
            </>
          ) : (
            <RoleEditor id={id} role={items.find((one) => one.id === id)} matrix={matrix} />
          )
        }
      </Loaded>
      {id === undefined ? null : (
        <p>
          <Link to={peopleAt(org, 'roles')}>{t('peopleAllRoles')}</Link>
        </p>
      )}
    </Page>
  )
})
