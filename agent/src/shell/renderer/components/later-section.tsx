import { useRef, useState } from 'react'
import type { CommandOutput } from '../../../shared/ipc/channels.ts'
import { useAgent } from './agent.tsx'
import { useLanguage } from './language.tsx'
import { ProblemMessage } from './problem-notice.tsx'
import { useOrg } from './use-org.ts'

type Opened = CommandOutput<'requests.open'>

/** Asks once until it is answered; what came of it is said beside the button, whatever else the page has to say. */
const useRequests = () => {
  const { store } = useAgent()
  const running = useRef(false)
  const [state, setState] = useState<'asking' | Opened>()
  const open = () => {
    if (running.current) return
    running.current = true
    setState('asking')
    const end = (opened: Opened) => {
      running.current = false
      setState(opened)
    }
    store.bridge.call('requests.open', {}).then(end, () => end({ done: false, problem: { code: 'unexpected' } }))
  }
  return { state, open }
}

const OpenRequests = ({ address }: { readonly address: string }) => {
  const { t } = useLanguage()
  const { state, open } = useRequests()
  const outcome = state === 'asking' ? undefined : state
  return (
    <>
      <p className="small" id="requests-browser">
        {t('requestsBrowser')}
      </p>
      <div className="actions">
        <button type="button" aria-disabled={state === 'asking'} aria-describedby="requests-browser" onClick={open}>
          {t('requestsOpen')}
        </button>
      </div>
      <div role="status" data-part="requests">
        {state === 'asking' ? <p>{t('requestsOpening')}</p> : null}
        {outcome?.done ? <p>{t(`requestsOpened.${outcome.opened}`)}</p> : null}
      </div>
      <div role="alert">{outcome?.done === false ? <ProblemMessage problem={outcome.problem} /> : null}</div>
      <dl className="facts">
        <div>
          <dt>{t('requestsAddress')}</dt>
          <dd className="selectable" data-part="requests-address">
            <bdi dir="ltr">{address}</bdi>
          </dd>
        </div>
      </dl>
      <p className="small">{t('requestsAddressText')}</p>
    </>
  )
}

/** What can be asked later, where, and of whom. */
export const LaterSection = () => {
  const { t } = useLanguage()
  const { session } = useAgent().state
  const org = useOrg()
  const contact = session?.privacyContact
  return (
    <section aria-labelledby="later">
      <h2 id="later">{t('doneLaterTitle')}</h2>
      <p>{t('doneLaterText', { org })}</p>
      {session?.requestsAddress === undefined ? null : <OpenRequests address={session.requestsAddress} />}
      <p>{t('doneLaterName')}</p>
      <dl className="facts">
        <div>
          <dt>{t('doneId')}</dt>
          <dd className="selectable">
            <bdi dir="ltr">{session?.id}</bdi>
          </dd>
        </div>
        <div>
          <dt>{t('doneOrg')}</dt>
          <dd className="selectable">{org}</dd>
        </div>
        <div>
          <dt>{t('doneAsk')}</dt>
          <dd className="selectable">{contact === undefined ? t('doneAskInviter') : <bdi>{contact}</bdi>}</dd>
        </div>
      </dl>
    </section>
  )
}
