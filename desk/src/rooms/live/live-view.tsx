import { Actions } from '@integrity/shared-ui/web/button'
import { ConfirmButton } from '@integrity/shared-ui/web/confirm-button'
import { Section } from '@integrity/shared-ui/web/section'
import { SendProblemNotice } from '@integrity/shared-ui/web/send-problem'
import { Notice, Page } from '@integrity/shared-ui/web/shell'
import { useLocale } from '@integrity/shared-ui/web/spoken'
import { useDesk, useMay } from '../../parts/desk-context.ts'
import { useLanguage } from '../../parts/language.ts'
import { Link } from '../../parts/link.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { shortTime } from '../../parts/spans.ts'
import { useEndpoint } from '../../parts/use-endpoint.ts'
import { useWrite } from '../../parts/use-write.ts'
import { LaneList } from './lane-list.tsx'
import { LiveEvents, LiveFacts, type Snapshot } from './live-facts.tsx'
import { LiveStill } from './live-still.tsx'
import { SideView } from './side-view.tsx'
import { StreamNotice } from './stream-notice.tsx'
import { useLive } from './use-live.ts'

const restMs = 1000

interface Props {
  /** Of the session. */
  readonly id: string
}

const EndButton = ({ id }: Props) => {
  const { t } = useLanguage()
  const { own, org } = useDesk()
  const { busy, problem, write } = useWrite(
    'sessions.live',
    'sessions.detail',
    'portal.live.list',
    'portal.sessions.list',
  )
  return (
    <>
      <SendProblemNotice problem={problem} />
      <Actions>
        <ConfirmButton
          label={t('liveEnd')}
          kind="stop"
          title={t('liveEndTitle')}
          confirm={t('liveEndYes')}
          confirmKind="stop"
          cancel={t('liveGoBack')}
          busy={busy}
          onConfirm={() => write(() => own.call('portal.sessions.end', { params: { orgId: org.id, id }, body: {} }))}
        >
          <p>{t('liveEndText')}</p>
        </ConfirmButton>
      </Actions>
    </>
  )
}

const Who = ({ id }: Props) => {
  const { t } = useLanguage()
  const { state } = useEndpoint('sessions.detail', { params: { id } })
  if (state.name !== 'there') return null
  const { candidateLabel, externalId, sandbox } = state.data
  return (
    <p className="lead">
      <bdi>{candidateLabel ?? t('unnamed')}</bdi>
      {[externalId, sandbox ? t('isSandbox') : null].filter(Boolean).map((mark) => ` · ${mark}`)}
    </p>
  )
}

/** In which state it is, read out when that changes. */
const Standing = ({ snapshot: { state, endedAt } }: { readonly snapshot: Snapshot }) => {
  const { t } = useLanguage()
  const locale = useLocale()
  return (
    <div role="status">
      {state === 'live' ? <Notice>{t('liveNoted')}</Notice> : null}
      {state === 'scheduled' ? <Notice>{t('liveNotBegun')}</Notice> : null}
      {state === 'ended' && endedAt !== null ? (
        <Notice>{t('liveEnded', { at: shortTime(endedAt, locale) })}</Notice>
      ) : null}
    </div>
  )
}

const Watched = ({ id, snapshot }: Props & { readonly snapshot: Snapshot }) => {
  const { t } = useLanguage()
  const manages = useMay('session.manage')
  return (
    <>
      <Standing snapshot={snapshot} />
      <LiveFacts agent={snapshot.agent} phone={snapshot.phone} />
      <LiveStill frame={snapshot.latestFrame} />
      {snapshot.state === 'live' && snapshot.phone?.paired ? <SideView id={id} /> : null}
      <Section title={t('liveSources')}>
        <LaneList lanes={snapshot.lanes} />
      </Section>
      <LiveEvents signals={snapshot.signals} />
      {manages && snapshot.state === 'live' ? <EndButton id={id} /> : null}
    </>
  )
}

interface FollowedProps extends Props {
  readonly snapshot: Snapshot
  readonly sandbox: boolean
  readonly again: () => void
}

const Followed = ({ id, snapshot, sandbox, again }: FollowedProps) => {
  const isOver = snapshot.state === 'ended'
  const environment = sandbox ? 'sandbox' : 'live'
  const stream = useLive({ environment, sessionId: id, again, restMs, isOver })
  return (
    <>
      {isOver ? null : <StreamNotice state={stream} />}
      <Watched id={id} snapshot={snapshot} />
    </>
  )
}

/** One interview as it goes on. Each minute of it is written down, and whoever looks is told so. */
export const LiveView = ({ id }: Props) => {
  const { t } = useLanguage()
  const { org } = useDesk()
  const session = useEndpoint('sessions.detail', { params: { id } })
  const live = useEndpoint('sessions.live', { params: { id } })
  const sandbox = session.state.name === 'there' ? session.state.data.sandbox : undefined
  return (
    <Page title={t('liveViewTitle')} wide>
      <Who id={id} />
      <Loaded question={live}>
        {(snapshot) => (sandbox === undefined ? null : <Followed {...{ id, snapshot, sandbox }} again={live.again} />)}
      </Loaded>
      <p>
        <Link to={{ room: 'interview', org: org.slug, id }}>{t('interviewTitle')}</Link>
      </p>
      <p>
        <Link to={{ room: 'live', org: org.slug, query: {} }}>{t('liveToWall')}</Link>
      </p>
    </Page>
  )
}
