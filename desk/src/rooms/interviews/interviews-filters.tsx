import { SelectField } from '@integrity/shared-ui/web/select-field'
import type { InterviewsQuery } from '../../data/route.ts'
import { useMay } from '../../parts/desk-context.ts'
import { useLanguage } from '../../parts/language.ts'
import { namesBelow } from '../../words/desk.ts'

interface Props {
  readonly query: InterviewsQuery
  /** With another choice, from the first page on. */
  readonly onChange: (query: InterviewsQuery) => void
}

/** What the list is narrowed to. */
export const InterviewsFilters = ({ query, onChange }: Props) => {
  const { t } = useLanguage()
  const seesReviews = useMay('report.view')
  const any = { id: '', label: t('anyState') }
  return (
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
      {seesReviews ? (
        <SelectField
          label={t('interviewFilterReview')}
          value={query.review ?? ''}
          options={[any, ...namesBelow('interviewReview').map((id) => ({ id, label: t(`interviewReview.${id}`) }))]}
          onChange={(review) => onChange({ ...query, review })}
        />
      ) : null}
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
  )
}
