import { Actions, Button } from '@integrity/shared-ui/web/button'
import { ExactField } from '@integrity/shared-ui/web/fields'
import { SelectField } from '@integrity/shared-ui/web/select-field'
import { type FormEvent, useState } from 'react'
import type { InterviewsQuery } from '../../data/route.ts'
import { useLanguage } from '../../parts/language.ts'
import { namesBelow } from '../../words/desk.ts'

interface Props {
  readonly query: InterviewsQuery
  /** With another choice, from the first page on. */
  readonly onChange: (query: InterviewsQuery) => void
}

/** One reference is looked up, as it was given. */
const ReferenceSearch = ({ query, onChange }: Props) => {
  const { t } = useLanguage()
  const [reference, setReference] = useState(query.reference ?? '')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onChange({ ...query, reference: reference.trim() || undefined })
  }
  return (
    <form noValidate onSubmit={submit}>
      <ExactField
        name="reference"
        label={t('referenceLabel')}
        help={t('interviewFindHelp')}
        value={reference}
        onChange={setReference}
        optional
        maxLength={200}
      />
      <Actions>
        <Button type="submit">{t('interviewFind')}</Button>
      </Actions>
    </form>
  )
}

/** What the list is narrowed to. */
export const InterviewsFilters = ({ query, onChange }: Props) => {
  const { t } = useLanguage()
  const any = { id: '', label: t('anyState') }
  return (
    <>
      <ReferenceSearch query={query} onChange={onChange} />
      <div className="filters">
        <SelectField
          label={t('filterState')}
          value={query.state ?? ''}
          options={[any, ...namesBelow('state').map((id) => ({ id, label: t(`state.${id}`) }))]}
          onChange={(state) => onChange({ ...query, state })}
        />
        <SelectField
          label={t('filterEnvironment')}
          value={query.environment ?? ''}
          options={[any, ...namesBelow('environment').map((id) => ({ id, label: t(`environment.${id}`) }))]}
          onChange={(environment) => onChange({ ...query, environment })}
        />
        <SelectField
          label={t('interviewFilterBy')}
          value={query.by ?? ''}
          options={[any, { id: 'me', label: t('interviewByMe') }]}
          onChange={(by) => onChange({ ...query, by })}
        />
        <SelectField
          label={t('interviewSort')}
          value={query.sort ?? ''}
          options={[
            { id: '', label: t('interviewNewestFirst') },
            { id: 'oldest', label: t('interviewOldestFirst') },
          ]}
          onChange={(sort) => onChange({ ...query, sort })}
        />
      </div>
    </>
  )
}
