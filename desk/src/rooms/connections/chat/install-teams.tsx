import { LineField, PasswordField } from '@integrity/shared-ui/web/fields'
import { useDesk } from '../../../parts/desk-context.ts'
import { useLanguage } from '../../../parts/language.ts'
import { useAttempt } from '../../../parts/use-attempt.ts'
import { useSettingsDraft } from '../../../parts/use-settings-draft.ts'
import { SettingsForm } from '../parts/settings-form.tsx'

/** A workflow of Teams: its address is a secret, and shown to nobody. */
export const InstallTeams = () => {
  const { t } = useLanguage()
  const { own, org } = useDesk()
  const draft = useSettingsDraft(`teams ${org.id}`, { label: '', url: '' })
  const attempt = useAttempt('portal.chat.list')
  const install = () =>
    attempt.attempt(async () => {
      const body = { provider: 'teams' as const, ...draft.words }
      await own.call('portal.chat.install', { params: { orgId: org.id }, body, idempotencyKey: draft.once() })
      draft.clear()
    })
  return (
    <SettingsForm
      of={attempt}
      fields={['label', 'url']}
      submit={t('connectionsTeamsInstall')}
      done={t('connectionsTeamsInstalled')}
      onSubmit={install}
    >
      <LineField
        name="label"
        label={t('connectionsTeamsLabel')}
        value={draft.words.label}
        onChange={(label) => draft.change({ label })}
        error={attempt.at('label')}
        maxLength={100}
      />
      <PasswordField
        isSecret
        name="url"
        label={t('connectionsTeamsUrl')}
        help={t('connectionsTeamsUrlHelp')}
        value={draft.words.url}
        onChange={(url) => draft.change({ url })}
        error={attempt.at('url')}
        isNew
      />
    </SettingsForm>
  )
}
