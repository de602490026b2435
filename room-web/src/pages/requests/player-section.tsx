import { useSending } from '@integrity/shared-ui/hooks/use-sending'
import { Actions, Button } from '@integrity/shared-ui/web/button'
import { AlertNotice } from '@integrity/shared-ui/web/read-out'
import { Section } from '@integrity/shared-ui/web/section'
import { useEffect, useRef, useState } from 'react'
import { hasCopy, type OwnIndex, type OwnMoment } from '../../session/requests-api.ts'
import type { KeptProps } from './kept-props.ts'
import { useLanguage } from './language.ts'
import { OwnPlayer, type SentTo } from './own-player.tsx'

/** The approved copy that can be played now; undefined where there is none. */
export const playableCopy = ({ requests, facts }: KeptProps): string | undefined =>
  facts.requests.find((request) => hasCopy(request, requests.time.now()))?.id

interface Props extends KeptProps {
  readonly sent: SentTo | undefined
  /** Those that were read so far. */
  readonly moments: readonly OwnMoment[] | undefined
  /** Words are wanted about a moment. */
  readonly onWords: (momentId: string) => void
}

/** The player once somebody asks for it: what it loads is a look that is recorded. */
const Playing = (props: Props & { readonly requestId: string }) => {
  const { t } = useLanguage()
  const { requests, visit, requestId, sent } = props
  const { busy, problem, send } = useSending({ endedBy: (error) => visit.endedBy(error) })
  const [index, setIndex] = useState<OwnIndex>()
  const open = () => send(async () => setIndex(await requests.call.ask('candidateRequests.reelIndex', { requestId })))
  const first = useRef(open)
  first.current = open
  useEffect(() => {
    if (sent) first.current()
  }, [sent])
  if (index) return <OwnPlayer {...props} index={index} />
  return (
    <>
      <Actions>
        <Button kind="main" busy={busy} onClick={open}>
          {t('playOpen')}
        </Button>
      </Actions>
      <div role="status">{busy ? <p>{t('playOpening')}</p> : null}</div>
      <AlertNotice>{problem ? t('playFailed') : null}</AlertNotice>
    </>
  )
}

/** The candidate's own recording, where a copy of it was approved; what it takes where none was. */
export const PlayerSection = (props: Props) => {
  const { t } = useLanguage()
  const { session, org } = props.facts
  if (session.erasedAt !== null || session.startedAt === null) return null
  const requestId = playableCopy(props)
  return (
    <Section title={t('playTitle')}>
      {requestId === undefined ? (
        <p>{t('playNeedsCopy', { org: org.name })}</p>
      ) : (
        <>
          <p>{t('playText', { org: org.name })}</p>
          <Playing key={requestId} {...props} requestId={requestId} />
        </>
      )}
    </Section>
  )
}
