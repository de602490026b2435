import { Actions, Button } from '@integrity/shared-ui/web/button'
import { SelectField } from '@integrity/shared-ui/web/select-field'
import { useState } from 'react'
import { useDesk } from '../../parts/desk-context.ts'
import { useLanguage } from '../../parts/language.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { useEndpoint } from '../../parts/use-endpoint.ts'

interface Props {
  /** Membership of who has it now. */
  readonly from: string | null
  readonly busy: boolean
  readonly onGive: (membershipId: string) => void
}

/** Gives a review to somebody, with how many unfinished ones each of them has. */
export const AssignForm = ({ from, busy, onGive }: Props) => {
  const { t } = useLanguage()
  const { org } = useDesk()
  const [chosen, setChosen] = useState('')
  const assignees = useEndpoint('portal.reviews.assignees', { params: { orgId: org.id } })
  return (
    <Loaded question={assignees}>
      {({ items }) => {
        const others = items.filter(({ membershipId }) => membershipId !== from)
        const options = others.map(({ membershipId, name, openReviews }) => ({
          id: membershipId,
          label: t('assigneeWith', { name, unfinished: openReviews }),
        }))
        const to = options.some(({ id }) => id === chosen) ? chosen : (options[0]?.id ?? '')
        if (options.length === 0) return null
        return (
          <Actions>
            <SelectField label={t('assignTo')} value={to} options={options} onChange={setChosen} />
            <Button busy={busy} onClick={() => onGive(to)}>
              {t('assign')}
            </Button>
          </Actions>
        )
      }}
    </Loaded>
  )
}
