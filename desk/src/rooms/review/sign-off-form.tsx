import { useDraft } from '@integrity/shared-ui/hooks/use-draft'
import { Actions, Button } from '@integrity/shared-ui/web/button'
import { WordsField } from '@integrity/shared-ui/web/fields'
import { AlertNotice } from '@integrity/shared-ui/web/read-out'
import { SendProblemNotice } from '@integrity/shared-ui/web/send-problem'
import { type FormEvent, useId, useState } from 'react'
import type { Report } from '../../data/desk-api.ts'
import { useDesk } from '../../parts/desk-context.ts'
import { useLanguage } from '../../parts/language.ts'
import { useWrite } from '../../parts/use-write.ts'

interface Props {
  readonly id: string
  readonly report: Report
}

const useSigning = ({ id, report }: Props) => {
  const { own, person } = useDesk()
  // Of the person too: who signs in after a sign-in that has ended may be somebody else.
  const draft = useDraft(`sign-off ${person.user.id} ${id}`, { statement: '' })
  const { busy, problem, write } = useWrite('portal.report', 'portal.reviews.list')
  const sign = (acknowledged: boolean) =>
    write(async () => {
      const statement = draft.words.statement.trim()
      const body = {
        expectedRevision: report.revision,
        ...(statement === '' ? {} : { statement }),
        ...(acknowledged ? { acknowledgeUnread: true as const } : {}),
      }
      await own.call('portal.report.signOff', { params: { id }, body, idempotencyKey: draft.once() })
      draft.clear()
    })
  return { busy, problem, draft, sign }
}

interface AcknowledgeProps {
  readonly checked: boolean
  readonly missing: boolean
  readonly onChange: (checked: boolean) => void
}

/** Asked for while words of the candidate are not marked as read. */
const Acknowledge = ({ checked, missing, onChange }: AcknowledgeProps) => {
  const { t } = useLanguage()
  const error = useId()
  return (
    <>
      <label className="check">
        <input
          type="checkbox"
          name="acknowledge"
          checked={checked}
          aria-invalid={missing}
          aria-describedby={missing ? error : undefined}
          onChange={({ target }) => onChange(target.checked)}
        />
        {t('acknowledgeUnread')}
      </label>
      <div id={error}>
        <AlertNotice>{missing ? t('acknowledgeNeeded') : null}</AlertNotice>
      </div>
    </>
  )
}

/** Signs the report under the person's name. What they wrote stays through a failure, a reload and a new sign-in. */
export const SignOffForm = ({ id, report }: Props) => {
  const { t } = useLanguage()
  const { busy, problem, draft, sign } = useSigning({ id, report })
  const [acknowledged, setAcknowledged] = useState(false)
  const [missing, setMissing] = useState(false)
  const hasUnread = report.statements.some(({ readAt }) => readAt === null)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const isMissing = hasUnread && !acknowledged
    setMissing(isMissing)
    if (!isMissing) sign(hasUnread)
  }
  return (
    <form noValidate onSubmit={submit}>
      <WordsField
        name="statement"
        label={t('statementLabel')}
        help={t('statementHelp')}
        value={draft.words.statement}
        onChange={(statement) => draft.change({ statement })}
        optional
        maxLength={5000}
      />
      {hasUnread ? <Acknowledge checked={acknowledged} missing={missing} onChange={setAcknowledged} /> : null}
      <SendProblemNotice problem={problem} conflict={t('changedMeanwhile')} />
      <Actions>
        <Button type="submit" kind="main" busy={busy}>
          {t(busy ? 'sending' : 'signOff')}
        </Button>
      </Actions>
    </form>
  )
}
