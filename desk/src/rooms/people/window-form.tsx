import { useDraft } from '@integrity/shared-ui/hooks/use-draft'
import { Actions, Button } from '@integrity/shared-ui/web/button'
import { ConfirmButton } from '@integrity/shared-ui/web/confirm-button'
import { LineField } from '@integrity/shared-ui/web/fields'
import type { ReadResult } from '../../data/desk-api.ts'
import { useDesk } from '../../parts/desk-context.ts'
import { Outcome } from '../../parts/outcome.tsx'
import { TheirValues } from '../../parts/their-values.tsx'
import { useAttempt } from '../../parts/use-attempt.ts'
import { useEndpoint } from '../../parts/use-endpoint.ts'
import { useTheirs } from '../../parts/use-theirs.ts'
import { useLanguage } from './people-language.tsx'

type Rules = ReadResult<'portal.retention.get'>

/** The longest window that there is, days. */
const longest = 3650

/** What a window of so many days could make due at once, at most: sessions that are due within the days that it is shorter. */
const useDueAtOnce = (rules: Rules, days: number) => {
  const { org } = useDesk()
  const before = rules.setAt === null ? (rules.ceilingDays ?? longest) : rules.inForceDays
  const shorter = Number.isInteger(days) && days > 0 ? Math.min(longest, Math.max(0, before - days)) : 0
  const due = useEndpoint('portal.retention.preview', {
    params: { orgId: org.id },
    query: { days: shorter, limit: 1 },
  })
  const { sessions, objects } = due.state.name === 'there' ? due.state.data.totals : { sessions: 0, objects: 0 }
  return { isShorter: shorter > 0, sessions, objects }
}

const windowWordsOf = ({ defaultDays, windowVersion }: Rules) => ({
  days: String(defaultDays),
  // The version that the writer has seen: the service refuses to write over another's.
  base: String(windowVersion),
})

/** Sets the organisation's window, after it was said what becomes due by a shorter one. */
export const WindowForm = ({ rules }: { readonly rules: Rules }) => {
  const { t } = useLanguage()
  const { org, own, person, pageMemory } = useDesk()
  const found = windowWordsOf(rules)
  const draft = useDraft(`window ${person.user.id} ${org.id}`, found, pageMemory)
  const acting = useAttempt('portal.retention.get', 'portal.retention.preview')
  const theirs = useTheirs(draft, found, 'base')
  const days = Number(draft.words.days)
  const named = [{ name: 'days', label: t('peopleWindowDays') }]
  const { isShorter, sessions, objects } = useDueAtOnce(rules, days)
  const save = () =>
    acting.attempt(() => {
      const params = { orgId: org.id }
      const put = async () => {
        const body = { defaultDays: days, expectedVersion: Number(draft.words.base) }
        const { data } = await own.call('portal.retention.put', { params, body })
        draft.clear()
        draft.change(windowWordsOf(data))
        theirs.settle(windowWordsOf(data))
        return t('peopleWindowSaved', { n: days })
      }
      return theirs.guard(put, async () => windowWordsOf((await own.call('portal.retention.get', { params })).data))
    })
  return (
    <form noValidate onSubmit={(event) => event.preventDefault()}>
      <LineField
        name="defaultDays"
        label={t('peopleWindowDays')}
        help={t('peopleWindowHelp')}
        value={draft.words.days}
        onChange={(value) => draft.change({ days: value })}
        error={acting.at('defaultDays')}
        maxLength={6}
      />
      <TheirValues met={theirs.met} words={draft.words} fields={named} onChange={draft.change} />
      <Outcome of={acting} fields={['defaultDays']} />
      <Actions>
        {isShorter ? (
          <ConfirmButton
            label={t('peopleWindowSave')}
            title={t('peopleWindowAsk', { n: days })}
            confirm={t('peopleWindowSave')}
            cancel={t('cancel')}
            busy={acting.busy}
            onConfirm={save}
          >
            <p>{t('peopleWindowText', { sessions, objects })}</p>
          </ConfirmButton>
        ) : (
          <Button busy={acting.busy} onClick={save}>
            {t(acting.busy ? 'sending' : 'peopleWindowSave')}
          </Button>
        )}
      </Actions>
    </form>
  )
}
