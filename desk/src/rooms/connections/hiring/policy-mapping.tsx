import { Actions, Button } from '@integrity/shared-ui/web/button'
import { ChoiceField, LineField } from '@integrity/shared-ui/web/fields'
import { useLanguage } from '../../../parts/language.ts'
import { type MappedPolicy, policiesOf } from './ats-words.ts'

interface Props {
  /** As the draft has it. */
  readonly text: string
  readonly options: readonly { readonly value: string; readonly label: string }[]
  readonly error: string | undefined
  readonly onChange: (text: string) => void
}

/** Which policy an interview gets by the stage that was entered; the first that fits counts. */
export const PolicyMapping = ({ text, options, error, onChange }: Props) => {
  const { t } = useLanguage()
  const rows = policiesOf(text)
  const keep = (changed: readonly MappedPolicy[]) => onChange(JSON.stringify(changed))
  const change = (at: number, part: Partial<MappedPolicy>) =>
    keep(rows.map((row, n) => (n === at ? { ...row, ...part } : row)))
  const [first] = options
  return (
    <fieldset>
      <legend>{t('connectionsPolicies')}</legend>
      <p className="small">{t(first ? 'connectionsPoliciesText' : 'connectionsPoliciesNone')}</p>
      {error ? <p className="wrong">{error}</p> : null}
      {rows.map(({ stage, policyId }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a row is what stands at its place
        <div key={at} className="filters">
          <LineField
            name={`stage-${at}`}
            label={t('connectionsStage', { number: at + 1 })}
            value={stage}
            onChange={(next) => change(at, { stage: next })}
            maxLength={200}
          />
          <ChoiceField
            name={`policy-${at}`}
            label={t('connectionsStagePolicy', { number: at + 1 })}
            value={policyId}
            options={options}
            onChange={(next) => change(at, { policyId: next })}
          />
          <Button
            aria-label={t('connectionsStageRemove', { number: at + 1 })}
            onClick={() => keep(rows.filter((_, n) => n !== at))}
          >
            {t('connectionsMappingRemove')}
          </Button>
        </div>
      ))}
      {first ? (
        <Actions>
          <Button onClick={() => keep([...rows, { stage: '', policyId: first.value }])}>
            {t('connectionsStageAdd')}
          </Button>
        </Actions>
      ) : null}
    </fieldset>
  )
}
