import { SelectField } from '@integrity/shared-ui/web/select-field'
import { useLocale } from '@integrity/shared-ui/web/spoken'
import type { ListQuery } from '../../data/route.ts'
import { useDesk } from '../../parts/desk-context.ts'
import { Scrolled } from '../../parts/scrolled.tsx'
import { shortTime } from '../../parts/spans.ts'
import { aidNames } from './aid-names.ts'
import { peopleAt } from './people.ts'
import type { PeopleText } from './people-language.tsx'
import { useLanguage } from './people-language.tsx'
import { differencesOf, lanes, type Policy, type WrittenConfig } from './policy-config.ts'

/** The name of a setting. Every path has a text; one that is newer than this page is shown as it is. */
export const useSettingNames = () => {
  const { t } = useLanguage()
  return (path: string): string => t(`peopleConfig.${path}` as PeopleText) || path
}

/** A value of a setting in words. */
export const useSettingWords = () => {
  const { t } = useLanguage()
  const names: readonly string[] = lanes
  const aids: readonly string[] = aidNames
  const word = (one: string): string => {
    if (one === 'true') return t('peopleYes')
    if (one === 'false') return t('peopleNo')
    if (names.includes(one)) return t(`lane.${one}` as PeopleText)
    return aids.includes(one) ? t(`peopleAid.${one}` as PeopleText) : one
  }
  return (value: string): string => (value === '' ? '–' : value.split('\n').map(word).join(', '))
}

interface DifferencesProps {
  readonly before: WrittenConfig
  readonly after: WrittenConfig
  readonly titles: readonly [string, string]
}

/** Two configs side by side, as far as they differ. */
const Differences = ({ before, after, titles }: DifferencesProps) => {
  const { t } = useLanguage()
  const [nameOf, wordsOf] = [useSettingNames(), useSettingWords()]
  const differences = differencesOf(before, after)
  if (differences.length === 0) return <p>{t('peopleNoDifference')}</p>
  return (
    <Scrolled label={t('peopleDifferences')}>
      <table className="list">
        <caption className="unseen">{t('peopleDifferences')}</caption>
        <thead>
          <tr>
            <th scope="col">{t('peopleSetting')}</th>
            {titles.map((title) => (
              <th key={title} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {differences.map(({ path, before: one, after: other }) => (
            <tr key={path}>
              <th scope="row">{nameOf(path)}</th>
              <td>{wordsOf(one)}</td>
              <td>{wordsOf(other)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scrolled>
  )
}

/** Every version with who wrote it, and two of them compared. */
export const PolicyVersions = ({ policy, query }: { readonly policy: Policy; readonly query: ListQuery }) => {
  const { t } = useLanguage()
  const locale = useLocale()
  const { org, navigation } = useDesk()
  const { versions } = policy
  const versionAt = (given: string | undefined, usual: number) =>
    versions.find(({ version }) => String(version) === given) ?? versions.find(({ version }) => version === usual)
  const before = versionAt(query['before'], policy.version - 1) ?? versions.at(-1)
  const after = versionAt(query['after'], policy.version)
  const options = versions.map(({ version }) => ({ id: String(version), label: t('peopleVersion', { n: version }) }))
  const choose = (part: ListQuery) => navigation.go(peopleAt(org, 'policies', policy.id, { ...query, ...part }))
  return (
    <>
      <ul className="plain rows">
        {versions.map(({ version, createdAt, createdBy }) => (
          <li key={version}>
            <span>{t('peopleVersion', { n: version })}</span>
            <span className="small">
              {createdBy.label ?? createdBy.id} · {shortTime(createdAt, locale)}
            </span>
          </li>
        ))}
      </ul>
      {before && after && versions.length > 1 ? (
        <>
          <div className="filters">
            <SelectField
              label={t('peopleCompare')}
              value={String(before.version)}
              options={options}
              onChange={(version) => choose({ before: version })}
            />
            <SelectField
              label={t('peopleCompareWith')}
              value={String(after.version)}
              options={options}
              onChange={(version) => choose({ after: version })}
            />
          </div>
          <Differences
            before={before.config}
            after={after.config}
            titles={[t('peopleVersion', { n: before.version }), t('peopleVersion', { n: after.version })]}
          />
        </>
      ) : null}
    </>
  )
}
