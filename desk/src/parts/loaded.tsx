import { Actions, Button } from '@integrity/shared-ui/web/button'
import { AlertNotice } from '@integrity/shared-ui/web/read-out'
import type { ReactNode } from 'react'
import type { Problem } from '../data/problem.ts'
import type { DeskText } from '../words/desk.ts'
import { useDesk } from './desk-context.ts'
import { useLanguage } from './language.ts'
import type { Question } from './use-endpoint.ts'

const texts: Readonly<Record<Problem, DeskText>> = {
  offline: 'failedOffline',
  trouble: 'failedTrouble',
  forbidden: 'failedForbidden',
  not_found: 'failedNotFound',
  too_many: 'failedTooMany',
  // The sign-in takes the place of the page at once.
  over: 'loading',
}

interface Props<T> {
  readonly question: Question<T>
  readonly children: (data: T) => ReactNode
}

/** What was answered; until then, that it is being asked for; where it cannot be shown, why, and what can be done. */
export const Loaded = <T,>({ question: { state, again }, children }: Props<T>): ReactNode => {
  const { t } = useLanguage()
  const { accountPage } = useDesk()
  const problem = state.name === 'loading' ? undefined : state.problem
  return (
    <>
      <p role="status" className={state.name === 'loading' ? undefined : 'unseen'}>
        {state.name === 'loading' ? t('loading') : null}
      </p>
      <AlertNotice>{problem ? t(texts[problem]) : null}</AlertNotice>
      {problem && problem !== 'not_found' ? (
        <Actions>
          <Button onClick={again}>{t('tryAgain')}</Button>
          {problem === 'forbidden' ? <a href={accountPage}>{t('ownAccount')}</a> : null}
        </Actions>
      ) : null}
      {state.name === 'there' ? children(state.data) : null}
    </>
  )
}
