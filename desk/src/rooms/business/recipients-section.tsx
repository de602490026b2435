import { useDraft } from '@integrity/shared-ui/hooks/use-draft'
import { Actions, Button } from '@integrity/shared-ui/web/button'
import { ConfirmButton } from '@integrity/shared-ui/web/confirm-button'
import { ExactField, LineField } from '@integrity/shared-ui/web/fields'
import { Section } from '@integrity/shared-ui/web/section'
import { useLocale } from '@integrity/shared-ui/web/spoken'
import type { FormEvent } from 'react'
import type { ReadResult } from '../../data/desk-api.ts'
import { useDesk } from '../../parts/desk-context.ts'
import { useLanguage } from '../../parts/language.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { Outcome } from '../../parts/outcome.tsx'
import { useAttempt } from '../../parts/use-attempt.ts'
import { useEndpoint } from '../../parts/use-endpoint.ts'
import { utcTime } from './times.ts'

type Recipient = ReadResult<'portal.recipients.list'>['items'][number]

const Standing = ({ recipient: { id, label, recipient, addedAt, removedAt } }: { readonly recipient: Recipient }) => {
  const { t } = useLanguage()
  const locale = useLocale()
  const { own, org } = useDesk()
  const attempt = useAttempt('portal.recipients.list')
  const at = utcTime(addedAt, locale)
  const remove = () =>
    attempt.attempt(() => own.call('portal.recipients.remove', { params: { orgId: org.id, recipientId: id } }))
  return (
    <li>
      <bdi>{label}</bdi> · <code>{recipient}</code> ·{' '}
      {removedAt === null
        ? t('businessSealedSince', { at })
        : t('businessSealedBetween', { at, until: utcTime(removedAt, locale) })}
      <Outcome of={attempt} />
      {removedAt === null ? (
        <ConfirmButton
          label={t('businessRecipientRemove')}
          longLabel={t('businessRecipientRemoveOf', { label })}
          title={t('businessRecipientRemoveOf', { label })}
          confirm={t('businessRecipientRemove')}
          confirmKind="stop"
          cancel={t('businessNotNow')}
          busy={attempt.busy}
          onConfirm={remove}
        >
          <p>{t('businessRecipientRemoveMeans', { at })}</p>
        </ConfirmButton>
      ) : null}
    </li>
  )
}

const AddForm = () => {
  const { t } = useLanguage()
  const { own, org, person, pageMemory } = useDesk()
  const draft = useDraft(`recipient ${person.user.id} ${org.id}`, { label: '', recipient: '' }, pageMemory)
  const attempt = useAttempt('portal.recipients.list')
  const { label, recipient } = draft.words
  const add = async () => {
    const input = { params: { orgId: org.id }, body: { label, recipient }, idempotencyKey: draft.once() }
    await own.call('portal.recipients.add', input)
    draft.clear()
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    attempt.attempt(add)
  }
  return (
    <form noValidate onSubmit={submit}>
      <LineField
        name="label"
        label={t('businessRecipientLabel')}
        help={t('businessRecipientLabelHelp')}
        value={label}
        onChange={(value) => draft.change({ label: value })}
        error={attempt.at('label')}
        maxLength={60}
      />
      <ExactField
        name="recipient"
        label={t('businessRecipient')}
        help={t('businessRecipientHelp')}
        value={recipient}
        onChange={(value) => draft.change({ recipient: value.trim() })}
        error={attempt.at('recipient')}
        maxLength={100}
      />
      <Outcome of={attempt} fields={['label', 'recipient']} />
      <Actions>
        <Button type="submit" busy={attempt.busy}>
          {t('businessRecipientAdd')}
        </Button>
      </Actions>
    </form>
  )
}

/** Keys of the organisation's own that new recordings are sealed to, beside that of the service. */
export const RecipientsSection = () => {
  const { t } = useLanguage()
  const { org } = useDesk()
  const recipients = useEndpoint('portal.recipients.list', { params: { orgId: org.id }, query: { limit: 100 } })
  return (
    <Section title={t('businessRecipients')}>
      <p>{t('businessRecipientsText')}</p>
      <Loaded question={recipients}>
        {({ items }) =>
          items.length === 0 ? (
            <p>{t('businessRecipientsNone')}</p>
          ) : (
            <ul className="rows">
              {items.map((one) => (
                <Standing key={one.id} recipient={one} />
              ))}
            </ul>
          )
        }
      </Loaded>
      <AddForm />
    </Section>
  )
}
