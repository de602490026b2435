import { AlertNotice } from '@integrity/shared-ui/web/read-out'
import type { Problem } from '../../../shared/ipc/window-state.ts'
import { useAgent } from './agent.tsx'
import { useLanguage } from './language.tsx'

/** The text of a problem and its remedy, without the title. */
export const ProblemWords = ({ problem: { code, detail } }: { readonly problem: Problem }) => {
  const { t } = useLanguage()
  return (
    <>
      <p>{t(`problem.${code}.text`)}</p>
      <p>
        <strong>{t('problemDo')}:</strong> {t(`problem.${code}.do`)}
      </p>
      {detail ? (
        <details>
          <summary>{t('details')}</summary>
          <p className="small" lang="en">
            {detail}
          </p>
        </details>
      ) : null}
    </>
  )
}

/** A problem with its title, announced to screen readers when it appears; renders nothing without a problem. */
export const ProblemAlert = ({ problem }: { readonly problem: Problem | undefined }) => {
  const { t } = useLanguage()
  return (
    <AlertNotice>
      {problem ? (
        <>
          <p>
            <strong>{t(`problem.${problem.code}.title`)}</strong>
          </p>
          <ProblemWords problem={problem} />
        </>
      ) : null}
    </AlertNotice>
  )
}

/** The problem of the page. */
export const ProblemNotice = () => <ProblemAlert problem={useAgent().problem} />
