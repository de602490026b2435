import { useLocale } from '@integrity/shared-ui/web/spoken'
import { useDesk } from '../../parts/desk-context.ts'
import { useLanguage } from '../../parts/language.ts'
import { Link } from '../../parts/link.tsx'
import { shortTime } from '../../parts/spans.ts'
import { type Key, scopeTexts } from './scopes.ts'

const Row = ({ item }: { readonly item: Key }) => {
  const { t } = useLanguage()
  const locale = useLocale()
  const { org } = useDesk()
  return (
    <tr>
      <th scope="row">
        {item.revokedAt === null ? (
          <Link to={{ room: 'developers', org: org.slug, section: 'keys', id: item.id, query: {} }}>{item.label}</Link>
        ) : (
          item.label
        )}
        <div className="small">
          <code dir="ltr">{item.prefix}…</code>
        </div>
      </th>
      <td>{t(`environment.${item.environment}`)}</td>
      <td>
        <ul className="plain">
          {item.scopes.map((scope) => (
            <li key={scope}>{t(scopeTexts[scope])}</li>
          ))}
        </ul>
      </td>
      <td>
        {item.revokedAt === null
          ? t('developersKeyMadeAt', { at: shortTime(item.createdAt, locale) })
          : t('developersKeyRevokedAt', { at: shortTime(item.revokedAt, locale) })}
      </td>
      <td>{item.lastUsedAt ? shortTime(item.lastUsedAt, locale) : t('developersKeyUnused')}</td>
    </tr>
  )
}

/** Keys with what each may do, in sentences. */
export const KeysTable = ({ items }: { readonly items: readonly Key[] }) => {
  const { t } = useLanguage()
  return (
    <section className="scrolled" aria-label={t('developersSection')}>
      <table className="list">
        <thead>
          <tr>
            <th scope="col">{t('developersKeyLabel')}</th>
            <th scope="col">{t('developersEnvironment')}</th>
            <th scope="col">{t('developersScopes')}</th>
            <th scope="col">{t('filterState')}</th>
            <th scope="col">{t('developersKeyUsed')}</th>
          </tr>
        </thead>
        <tbody>
          {items.map((item) => (
            <Row key={item.id} item={item} />
          ))}
        </tbody>
      </table>
    </section>
  )
}
