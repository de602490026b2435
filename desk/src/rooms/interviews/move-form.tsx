import { Actions, Button } from '@integrity/shared-ui/web/button'
import { focusField } from '@integrity/shared-ui/web/fields'
import { SendProblemNotice } from '@integrity/shared-ui/web/send-problem'
import { type FormEvent, useState } from 'react'
import { instantOf, wallTimeOf } from '../../data/appointment.ts'
import { zoneName } from '../../data/time-zones.ts'
import { useDesk } from '../../parts/desk-context.ts'
import { useLanguage } from '../../parts/language.ts'
import { useWrite } from '../../parts/use-write.ts'
import { WhenFields, type WhenWords } from '../../parts/when-fields.tsx'
import { changedByPlan, type Scheduling } from './interview-types.ts'

interface Props {
  /** Of the session. */
  readonly id: string
  readonly appointment: Scheduling['appointment']
  readonly onDone: () => void
}

const wordsOf = (appointment: Props['appointment']): WhenWords => {
  const zone = zoneName(appointment?.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone)
  const minutes = String(appointment?.durationMinutes ?? 60)
  const at = appointment ? wallTimeOf(zone, appointment.startsAt) : { date: '', time: '' }
  return { ...at, zone, minutes }
}

/** Another time by the candidate's clocks. */
export const MoveForm = ({ id, appointment, onDone }: Props) => {
  const { t } = useLanguage()
  const { own, org } = useDesk()
  const [words, setWords] = useState(() => wordsOf(appointment))
  const [wrong, setWrong] = useState(false)
  const { busy, problem, write } = useWrite(...changedByPlan)
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const { zone: timeZone, minutes } = words
    const startsAt = instantOf(timeZone, words)
    setWrong(startsAt === undefined)
    if (startsAt === undefined) return focusField(event.currentTarget, 'date')
    const body = { startsAt, durationMinutes: Number(minutes), timeZone }
    write(async () => {
      await own.call('portal.scheduling.set', { params: { orgId: org.id, id }, body })
      onDone()
    })
  }
  const isRefused = problem?.fields.some((path) => path.includes('startsAt')) ?? false
  return (
    <form noValidate onSubmit={submit}>
      <p>{t('interviewMoveText')}</p>
      <WhenFields
        words={words}
        isWrong={wrong || isRefused}
        change={(part) => setWords((before) => ({ ...before, ...part }))}
      />
      <SendProblemNotice problem={problem} conflict={t('interviewConflict')} />
      <Actions>
        <Button type="submit" kind="main" busy={busy}>
          {t(busy ? 'sending' : 'interviewMoveSave')}
        </Button>
      </Actions>
    </form>
  )
}
