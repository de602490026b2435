import type { Problem } from '../../../shared/ipc/window-state.ts'
import { useAgent } from './agent.tsx'
import { useLanguage } from './language.tsx'
import { Notice } from './shell.tsx'

/** What went wrong and what can be done, without its title. */
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

/** A problem in a box of its own, with its title. */
export const ProblemMessage = ({ problem }: { readonly problem: Problem }) => {
  const { t } = useLanguage()
  return (
    <Notice kind="attention">
      <p>
        <strong>{t(`problem.${problem.code}.title`)}</strong>
      </p>
      <ProblemWords problem={problem} />
    </Notice>
  )
}

/** The problem of the page, read out when it appears; nothing where there is none. */
export const ProblemNotice = () => {
  const { problem } = useAgent()
  return <div role="alert">{problem ? <ProblemMessage problem={problem} /> : null}</div>
}
