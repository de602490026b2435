import { AlertNotice } from '@integrity/shared-ui/web/read-out'
import { SendProblemNotice } from '@integrity/shared-ui/web/send-problem'
import { Notice } from '@integrity/shared-ui/web/shell'
import { useLanguage } from './language.ts'
import { type Attempt, isAbout, type Refusal } from './use-attempt.ts'

interface RefusedProps {
  readonly refusal: Refusal
  readonly fields: readonly string[]
  readonly conflict: string | undefined
}

/** The service's words, but for those that stand at a field. */
const Refused = ({ refusal: { words, details }, fields, conflict }: RefusedProps) => {
  const { t } = useLanguage()
  const others = details.filter(({ path }) => !fields.some((field) => isAbout(path, field)))
  const isAtFields = others.length < details.length
  const lines = [...(isAtFields ? [] : [words]), ...others.map(({ path, message }) => `${path}: ${message}`)]
  return (
    <AlertNotice>
      {conflict ?? t(isAtFields ? 'attemptRefusedField' : 'attemptRefused')}{' '}
      {lines.length === 0 ? null : (
        <span lang="en" dir="ltr">
          {lines.join('; ')}
        </span>
      )}
    </AlertNotice>
  )
}

interface Props {
  readonly of: Pick<Attempt, 'problem' | 'refusal' | 'end' | 'said'>
  /** Paths whose words stand at their fields. */
  readonly fields?: readonly string[]
  /** What is said when it is done, unless the attempt itself says it. */
  readonly done?: string | undefined
  /** What a conflict means here. */
  readonly conflict?: string
}

/** How an attempt ended, read out: the service's words where it refused, or why it was not reached. */
export const Outcome = ({ of, fields = [], done, conflict }: Props) => {
  const { t } = useLanguage()
  const { problem, refusal, end, said } = of
  const words = end === 'done' ? (said ?? done) : undefined
  const conflicting = problem?.kind === 'conflict' ? conflict : undefined
  return (
    <>
      {refusal ? (
        <Refused refusal={refusal} fields={fields} conflict={conflicting} />
      ) : (
        <SendProblemNotice problem={problem} />
      )}
      <AlertNotice>{end === 'meanwhile' ? t('attemptMeanwhile') : null}</AlertNotice>
      <div role="status">{words ? <Notice>{words}</Notice> : null}</div>
    </>
  )
}
