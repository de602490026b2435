import { inviterLine } from '@integrity/protocol/clients/inviter'
import { Actions, Button } from '@integrity/shared-ui/web/button'
import { Fact, Facts } from '@integrity/shared-ui/web/facts'
import { Section } from '@integrity/shared-ui/web/section'
import { useRef, useState } from 'react'
import type { CommandOutput } from '../../../shared/ipc/channels.ts'
import { useAgent } from './agent.tsx'
import { useLanguage } from './language.tsx'
import { ProblemAlert } from './problem-notice.tsx'
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
      <Actions>
        <Button busy={state === 'asking'} aria-describedby="requests-browser" onClick={open}>
          {t('requestsOpen')}
        </Button>
      </Actions>
      <div role="status" data-part="requests">
        {state === 'asking' ? <p>{t('requestsOpening')}</p> : null}
        {outcome?.done ? <p>{t(`requestsOpened.${outcome.opened}`)}</p> : null}
      </div>
      <ProblemAlert problem={outcome?.done === false ? outcome.problem : undefined} />
      <Facts>
        <Fact name={t('requestsAddress')} className="selectable" data-part="requests-address">
          <bdi dir="ltr">{address}</bdi>
        </Fact>
      </Facts>
      <p className="small">{t('requestsAddressText')}</p>
    </>
  )
}

/** What can be asked later, where, and of whom. */
export const LaterSection = () => {
  const { t } = useLanguage()
  const { session } = useAgent().state
  const org = useOrg()
  const asked = session?.privacyContact ?? (session?.inviter && inviterLine(session.inviter))
  return (
    <Section title={t('doneLaterTitle')}>
      <p>{t('doneLaterText', { org })}</p>
      {session?.requestsAddress === undefined ? null : <OpenRequests address={session.requestsAddress} />}
      <p>{t('doneLaterName')}</p>
      <Facts>
        <Fact name={t('doneId')} className="selectable">
          <bdi dir="ltr">{session?.id}</bdi>
        </Fact>
        <Fact name={t('doneOrg')} className="selectable">
          {org}
        </Fact>
        <Fact name={t('doneAsk')} className="selectable">
          {asked === undefined ? t('doneAskInviter') : <bdi>{asked}</bdi>}
        </Fact>
      </Facts>
    </Section>
  )
}
