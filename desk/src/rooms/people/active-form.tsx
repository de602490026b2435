import { Actions, Button } from '@integrity/shared-ui/web/button'
import { ConfirmButton } from '@integrity/shared-ui/web/confirm-button'
import { useState } from 'react'
import { useDesk } from '../../parts/desk-context.ts'
import { Outcome } from '../../parts/outcome.tsx'
import { useAttempt } from '../../parts/use-attempt.ts'
import { useEndpoint } from '../../parts/use-endpoint.ts'
import type { Member } from './people.ts'
import { useLanguage } from './people-language.tsx'

/** Invites that the person sent and that nobody has answered. */
const useSentInvites = (userId: string): number => {
  const { org } = useDesk()
  const invites = useEndpoint('portal.invites.list', {
    params: { orgId: org.id },
    query: { status: 'pending', limit: 100 },
  })
  if (invites.state.name !== 'there') return 0
  return invites.state.data.items.filter(({ invitedBy }) => invitedBy === userId).length
}

/** Ends a membership, or lets the person in again. Afterwards it names the keys that go on. */
export const ActiveForm = ({ member }: { readonly member: Member }) => {
  const { t } = useLanguage()
  const { org, own } = useDesk()
  const acting = useAttempt('portal.members.list', 'portal.invites.list')
  const [keys, setKeys] = useState<readonly { readonly id: string; readonly label: string }[]>([])
  const invites = useSentInvites(member.userId)
  const name = member.name ?? member.email
  const change = (active: boolean) =>
    acting.attempt(async () => {
      const params = { orgId: org.id, membershipId: member.id }
      const { data } = await own.call('portal.members.change', { params, body: { active } })
      setKeys(data.livingApiKeys ?? [])
      return t(active ? 'peopleReactivated' : 'peopleDeactivated', { name })
    })
  return (
    <>
      <Outcome of={acting} />
      {keys.length > 0 ? (
        <p>{t('peopleLivingKeys', { n: keys.length, keys: keys.map(({ label }) => label).join(', ') })}</p>
      ) : null}
      <Actions>
        {member.active ? (
          <ConfirmButton
            label={t('peopleDeactivate')}
            longLabel={t('peopleDeactivateWhom', { name })}
            kind="stop"
            title={t('peopleDeactivateWhom', { name })}
            confirm={t('peopleDeactivate')}
            confirmKind="stop"
            cancel={t('cancel')}
            busy={acting.busy}
            onConfirm={() => change(false)}
          >
            <p>{t('peopleDeactivateText', { name, n: invites })}</p>
          </ConfirmButton>
        ) : (
          <Button busy={acting.busy} onClick={() => change(true)}>
            {t('peopleReactivate', { name })}
          </Button>
        )}
      </Actions>
    </>
  )
}
