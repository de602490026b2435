import { Actions, Button } from '@integrity/shared-ui/web/button'
import { ChoiceField, ExactField } from '@integrity/shared-ui/web/fields'
import { useLanguage } from '../../../parts/language.ts'
import { givenRoles, type MappedRole, mappedOf } from './sso-words.ts'

interface Props {
  /** As the draft has it. */
  readonly text: string
  readonly error: string | undefined
  readonly onChange: (text: string) => void
}

/** Which value of the role attribute, or which group, means which role here; the first that matches counts. */
export const RoleMapping = ({ text, error, onChange }: Props) => {
  const { t } = useLanguage()
  const rows = mappedOf(text)
  const keep = (changed: readonly MappedRole[]) => onChange(JSON.stringify(changed))
  const change = (at: number, part: Partial<MappedRole>) =>
    keep(rows.map((row, n) => (n === at ? { ...row, ...part } : row)))
  const roles = givenRoles.map((role) => ({ value: role, label: t(`role.${role}`) }))
  return (
    <fieldset>
      <legend>{t('connectionsMapping')}</legend>
      <p className="small">{t('connectionsMappingText')}</p>
      {error ? <p className="wrong">{error}</p> : null}
      {rows.map(({ value, role }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a row is what stands at its place
        <div key={at} className="filters">
          <ExactField
            name={`mapping-${at}`}
            label={t('connectionsMappingValue', { number: at + 1 })}
            value={value}
            onChange={(next) => change(at, { value: next })}
            maxLength={200}
          />
          <ChoiceField
            name={`role-${at}`}
            label={t('connectionsMappingRole', { number: at + 1 })}
            value={role}
            options={roles}
            onChange={(next) => change(at, { role: next as MappedRole['role'] })}
          />
          <Button
            aria-label={t('connectionsMappingRemoveOf', { number: at + 1 })}
            onClick={() => keep(rows.filter((_, n) => n !== at))}
          >
            {t('connectionsMappingRemove')}
          </Button>
        </div>
      ))}
      <Actions>
        <Button onClick={() => keep([...rows, { value: '', role: 'reviewer' }])}>{t('connectionsMappingAdd')}</Button>
      </Actions>
    </fieldset>
  )
}
