import { AlertNotice } from '@integrity/shared-ui/web/read-out'
import { SendProblemNotice } from '@integrity/shared-ui/web/send-problem'
import { Notice } from '@integrity/shared-ui/web/shell'
import { useLanguage } from './people-language.tsx'
import type { Act } from './use-act.ts'

interface Props {
  readonly of: Act
  /** Paths whose words stand at their fields. */
  readonly fields?: readonly string[]
}

/** What came of an act. Why it was refused is said in the service's own words, but for those that stand at a field. */
export const ActResult = ({ of: { problem, refusal, done }, fields = [] }: Props) => {
  const { t } = useLanguage()
  const passes = problem?.kind === 'notReached' || problem?.kind === 'tooMany'
  if (passes) return <SendProblemNotice problem={problem} />
  const atFields = refusal ? Object.keys(refusal.at).filter((path) => fields.includes(path)) : []
  const others = refusal ? Object.entries(refusal.at).filter(([path]) => !fields.includes(path)) : []
  return (
    <>
      <AlertNotice>
        {problem && refusal ? (
          <>
            {t(atFields.length > 0 ? 'peopleRefusedField' : 'peopleRefused')}{' '}
            {atFields.length > 0 ? null : <span lang="en">{refusal.message}</span>}{' '}
            <span lang="en">{others.map(([path, words]) => `${path}: ${words}`).join('; ')}</span>
          </>
        ) : null}
      </AlertNotice>
      <div role="status">{done ? <Notice>{done}</Notice> : null}</div>
    </>
  )
}
