import { Section } from '@integrity/shared-ui/web/section'
import { useLocale } from '@integrity/shared-ui/web/spoken'
import { useLanguage } from '../../../parts/language.ts'
import { Loaded } from '../../../parts/loaded.tsx'
import { shortTime } from '../../../parts/spans.ts'
import type { DeskText } from '../../../words/desk.ts'
import { useTrail } from './use-trail.ts'

const texts: Readonly<Record<string, DeskText>> = {
  'member.added': 'connectionsCall.added',
  'member.deactivated': 'connectionsCall.deactivated',
  'member.reactivated': 'connectionsCall.reactivated',
  'scim.user_changed': 'connectionsCall.userChanged',
  'scim.user_removed': 'connectionsCall.userRemoved',
  'scim.group_created': 'connectionsCall.groupCreated',
  'scim.group_changed': 'connectionsCall.groupChanged',
  'scim.group_removed': 'connectionsCall.groupRemoved',
}
const actions = Object.keys(texts)
const most = 20

/** What the identity provider changed last, by the audit trail. */
export const ChangesSection = () => {
  const { t } = useLanguage()
  const locale = useLocale()
  const trail = useTrail(actions)
  return (
    <Section title={t('connectionsChanges')}>
      <p>{t('connectionsChangesText')}</p>
      <Loaded question={trail}>
        {(rows) => {
          const theirs = rows.filter(({ actor }) => actor.kind === 'scim').slice(0, most)
          return theirs.length === 0 ? (
            <p>{t('connectionsNoChanges')}</p>
          ) : (
            <ul className="plain rows">
              {theirs.map(({ seq, at, action, target }) => (
                <li key={seq}>
                  <span>{t(texts[action] ?? 'connectionsCall.userChanged')}</span>
                  <span className="small">
                    {shortTime(at, locale)} · {target}
                  </span>
                </li>
              ))}
            </ul>
          )
        }}
      </Loaded>
    </Section>
  )
}
