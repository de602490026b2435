import { Actions, Button } from '@integrity/shared-ui/web/button'
import { ExactField, focusField, TimeField } from '@integrity/shared-ui/web/fields'
import { type FormEvent, useState } from 'react'
import { useLanguage } from '../../parts/language.ts'
import { type AuditChoice, wrongIn } from './audit-query.ts'

interface Props {
  readonly choice: AuditChoice
  readonly onChoose: (choice: AuditChoice) => void
}

const nothing: AuditChoice = { action: '', session: '', person: '', from: '', to: '' }

/** What the audit trail is narrowed to. Days are those of UTC, as the times beside the entries are. */
export const AuditFilters = ({ choice, onChoose }: Props) => {
  const { t } = useLanguage()
  const [typed, setTyped] = useState(choice)
  const [wrong, setWrong] = useState<readonly string[]>([])
  const field = (name: string) => ({
    name,
    value: typed[name] ?? '',
    onChange: (value: string) => setTyped({ ...typed, [name]: value.trim() }),
    optional: true,
    maxLength: 64,
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const found = wrongIn(typed)
    setWrong(found)
    const [first] = found
    if (first === undefined) onChoose(typed)
    else focusField(event.currentTarget, first)
  }
  const says = (name: string, text: string) => (wrong.includes(name) ? text : undefined)
  return (
    <form noValidate onSubmit={submit}>
      <div className="filters">
        <ExactField
          {...field('action')}
          label={t('businessAction')}
          help={t('businessActionHelp')}
          error={says('action', t('businessActionWrong'))}
        />
        <ExactField
          {...field('session')}
          label={t('businessInterview')}
          error={says('session', t('businessIdWrong'))}
        />
        <ExactField {...field('person')} label={t('businessPerson')} error={says('person', t('businessIdWrong'))} />
        <TimeField
          {...field('from')}
          type="date"
          label={t('businessFrom')}
          error={says('from', t('businessPeriodWrong'))}
        />
        <TimeField {...field('to')} type="date" label={t('businessTo')} error={says('to', t('businessPeriodWrong'))} />
      </div>
      <Actions>
        <Button type="submit">{t('businessNarrow')}</Button>
        <Button kind="quiet" onClick={() => onChoose(nothing)}>
          {t('businessWhole')}
        </Button>
      </Actions>
    </form>
  )
}
