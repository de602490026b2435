import { useDraft } from '@integrity/shared-ui/hooks/use-draft'
import { Actions } from '@integrity/shared-ui/web/button'
import { ConfirmButton } from '@integrity/shared-ui/web/confirm-button'
import { TimeField } from '@integrity/shared-ui/web/fields'
import { useLocale } from '@integrity/shared-ui/web/spoken'
import { useState } from 'react'
import { useDesk } from '../../parts/desk-context.ts'
import { useLanguage } from '../../parts/language.ts'
import { Outcome } from '../../parts/outcome.tsx'
import { shortTime } from '../../parts/spans.ts'
import { useAttempt } from '../../parts/use-attempt.ts'

/** By the reader's clock; undefined where it is no instant. */
const instantOf = (date: string, time: string): string | undefined => {
  const at = new Date(`${date}T${time}`)
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString()
}

/** Sends everything since an instant once more, for a receiver that lost what it had. */
export const ReplaySince = ({ endpointId }: { readonly endpointId: string }) => {
  const { t } = useLanguage()
  const locale = useLocale()
  const { own, org, person, pageMemory } = useDesk()
  const draft = useDraft(`replay ${person.user.id} ${endpointId}`, { date: '', time: '00:00' }, pageMemory)
  const [isWrong, setWrong] = useState(false)
  const [done, setDone] = useState<string>()
  const form = useAttempt('portal.webhooks.deliveries.list')
  const since = instantOf(draft.words.date, draft.words.time)
  const check = () => {
    setWrong(since === undefined)
    return since !== undefined
  }
  const replay = () =>
    form.attempt(async () => {
      setDone(undefined)
      const params = { orgId: org.id, endpointId }
      const input = { params, body: { since: since ?? '' }, idempotencyKey: draft.once() }
      const { replayed } = (await own.call('portal.webhooks.replaySince', input)).data
      draft.clear()
      setDone(t('developersReplayedSince', { n: replayed }))
    })
  const error = isWrong ? t('developersSinceWrong') : form.at('since')
  return (
    <details>
      <summary>{t('developersReplaySince')}</summary>
      <TimeField
        name="date"
        type="date"
        label={t('developersSinceDay')}
        value={draft.words.date}
        onChange={(date) => draft.change({ date })}
        error={error}
      />
      <TimeField
        name="time"
        type="time"
        label={t('developersSinceTime')}
        value={draft.words.time}
        onChange={(time) => draft.change({ time })}
      />
      <Outcome of={form} fields={['since']} />
      <Actions>
        <ConfirmButton
          label={t('developersReplaySinceAsk')}
          title={t('developersReplaySinceTitle', { at: since === undefined ? '' : shortTime(since, locale) })}
          confirm={t('developersReplaySinceYes')}
          cancel={t('developersCancel')}
          busy={form.busy}
          before={check}
          onConfirm={replay}
        >
          <p>{t('developersReplaySinceText')}</p>
        </ConfirmButton>
      </Actions>
      <p role="status">{done}</p>
    </details>
  )
}
