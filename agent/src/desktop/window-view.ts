import { agreedBreaks, isOverPhase, type SessionPhase } from '@integrity/protocol'
import type { SessionStatus } from '../core/session/agent-session.types.ts'
import { breaksLeft } from '../core/session/break-taking.ts'
import { requestsAddress } from '../core/session/requests-address.ts'
import { removedByService } from '../core/session/session-machine.ts'
import type { Problem, WindowState } from '../shared/ipc/window-state.ts'
import { laneViews } from './lane-view.ts'
import type { SessionLedger } from './session-ledger.ts'

/** Everything that the window's state is made of. */
export interface ViewSources {
  readonly version: string
  readonly platform: NodeJS.Platform
  readonly keyProtection: WindowState['keyProtection']
  readonly locale: string
  readonly problem: Problem | undefined
  readonly server: string | undefined
  readonly code: string | undefined
  readonly status: SessionStatus | undefined
  /** The service is asked before the code is used. */
  readonly asking: boolean
  readonly consent?: WindowState['consent']
  readonly check?: WindowState['check']
  readonly ledger: SessionLedger
  readonly phone: WindowState['phone']
  readonly update: WindowState['update']
  readonly notices: WindowState['notices']
  /** Ms this computer's clock is ahead of the service's. */
  readonly aheadMs: number
  /** Epoch ms by this computer's clock. */
  readonly lastAnswerAt: number | undefined
}

/** Smaller differences are no matter to anybody. */
const notableMs = 2000

const screenOfPhase: Readonly<Record<SessionPhase, WindowState['screen']>> = {
  joining: 'joining',
  consenting: 'consent',
  registering: 'registering',
  recording: 'recording',
  paused: 'paused',
  finishing: 'finishing',
  done: 'done',
  refused: 'refused',
  failed: 'failed',
}

const screenOf = ({ status, asking, check, consent, update }: ViewSources): WindowState['screen'] => {
  if (asking) return 'joining'
  if (!status) return update.minimum === undefined ? 'code' : 'update_required'
  // A session that was never joined leaves nothing but a problem on the page where it began.
  if (status.phase === 'failed' && !status.joined) return 'code'
  if (status.phase === 'consenting') return check ? 'check' : consent ? 'consent' : 'joining'
  return screenOfPhase[status.phase]
}

const platformOf = (platform: NodeJS.Platform): WindowState['platform'] =>
  platform === 'linux' || platform === 'darwin' || platform === 'win32' ? platform : 'other'

const optional = <K extends string, V>(key: K, value: V | undefined) =>
  (value === undefined ? {} : { [key]: value }) as { [P in K]?: V }

const isRecordedAndOver = (phase: SessionPhase): boolean =>
  phase === 'finishing' || (isOverPhase(phase) && phase !== 'refused')

const sessionOf = (status: SessionStatus | undefined): Pick<WindowState, 'session'> => {
  if (!status?.joined) return {}
  const { sessionId: id, orgName, privacyContact, brand, schedule, inviter } = status.joined
  const org = {
    ...optional('orgName', orgName),
    ...optional('privacyContact', privacyContact),
    ...optional('brand', brand),
    ...optional('schedule', schedule),
    ...optional('inviter', inviter),
  }
  const address = isRecordedAndOver(status.phase) ? requestsAddress(status.joined) : undefined
  const place = optional('callIn', status.state.callIn)
  return { session: { id, ...org, ...place, ...optional('requestsAddress', address) } }
}

/** Of a lane that runs already, what was said of it, where it was said in the same language. */
const askedOf = ({ later, state }: SessionStatus): Pick<NonNullable<WindowState['recording']>, 'asked'> => {
  if (!later) return {}
  const { document, config, previous, lanes, sending } = later
  const before = (lane: string): string | undefined =>
    previous.locale === document.locale ? previous.lanes.find((other) => other.lane === lane)?.text : undefined
  const inOrder = document.lanes.filter(({ lane }) => lanes.includes(lane))
  const shown = inOrder.map(({ lane }) => ({
    lane,
    sending: sending.includes(lane),
    ...(state.answers[lane] === true ? optional('before', before(lane)) : {}),
  }))
  return shown.length === 0 ? {} : { asked: { document, config, lanes: shown } }
}

const breaksOf = (
  state: SessionStatus['state'],
  aheadMs: number,
): Pick<NonNullable<WindowState['recording']>, 'breaks'> => {
  const left = breaksLeft(state)
  const agreed = state.config && agreedBreaks(state.config)
  if (left === undefined || !agreed) return {}
  const endsAt = state.breaks?.endsAt
  return {
    breaks: { left, minutes: agreed.minutes, ...optional('endsAt', endsAt && Math.round(endsAt + aheadMs)) },
  }
}

const recordingOf = (status: SessionStatus, { ledger, aheadMs }: ViewSources): Pick<WindowState, 'recording'> => {
  const { joined, state } = status
  if (!joined?.registeredAt || !state.config) return {}
  return {
    recording: {
      startedAt: Math.round(joined.registeredAt + aheadMs),
      pauseAllowed: state.config.pauseAllowed,
      ...breaksOf(state, aheadMs),
      lanes: laneViews(status, ledger),
      requiredApps: state.config.requiredApps,
      ...askedOf(status),
    },
  }
}

const networkOf = ({ status, lastAnswerAt }: ViewSources): WindowState['network'] => {
  const told = lastAnswerAt === undefined ? {} : { lastAnswerAt }
  const live = status?.live ?? false
  switch (status?.upload?.state) {
    case undefined:
    case 'stopped':
      return { state: lastAnswerAt === undefined ? 'unknown' : 'online', live, ...told }
    case 'offline':
      return { state: 'offline', live, ...told }
    case 'waiting':
      return { state: 'slowed', live, ...told }
    default:
      return { state: 'online', live, ...told }
  }
}

const endedOf = ({ joined, state }: SessionStatus, aheadMs: number): Pick<WindowState, 'ended'> => {
  if (joined?.endedAt === undefined) return {}
  const removed = state.endReason === removedByService
  const by = removed || state.endReason === 'ended_by_service' ? 'service' : 'candidate'
  return { ended: { by, at: Math.round(joined.endedAt + aheadMs), ...(removed ? { removed } : {}) } }
}

const refusalOf = ({ state }: SessionStatus): WindowState['refusal'] =>
  state.endKnown ? (state.failure === undefined ? 'told' : 'not_told') : 'sending'

/** The window's state, whole. */
export const windowStateOf = (sources: ViewSources): WindowState => {
  const { status, aheadMs, phone } = sources
  const { items = 0, events = 0, segments = 0, bytes = 0 } = status?.remaining ?? {}
  const { sentItems = 0, sentEvents = 0, sentBytes = 0, sentByKind } = status?.upload ?? {}
  return {
    screen: screenOf(sources),
    version: sources.version,
    platform: platformOf(sources.platform),
    keyProtection: sources.keyProtection,
    locale: sources.locale,
    ...optional('problem', sources.problem),
    ...optional('server', sources.server),
    ...optional('code', sources.code),
    ...sessionOf(status),
    ...optional('consent', sources.consent),
    ...optional('check', sources.check),
    ...(status ? recordingOf(status, sources) : {}),
    network: networkOf(sources),
    // What was said counts as things to be sent.
    unsent: { items: items + segments, events, bytes },
    sent: { items: sentItems, bytes: sentBytes, events: sentEvents, ...optional('byType', sentByKind) },
    ...(Math.abs(aheadMs) < notableMs ? {} : { clockAheadMs: Math.round(aheadMs) }),
    ...(phone === undefined || phone.state === 'not_wanted' ? {} : { phone }),
    update: sources.update,
    ...(status ? endedOf(status, aheadMs) : {}),
    ...(status?.phase === 'refused' ? { refusal: refusalOf(status) } : {}),
    notices: sources.notices,
  }
}

/** What closing the program now would leave undone. */
export type QuitQuestion = 'none' | { readonly unsent: WindowState['unsent']; readonly recording: boolean }

export const quitQuestionOf = ({ unsent, screen }: WindowState): QuitQuestion => {
  const recording = screen === 'recording' || screen === 'paused'
  return recording || unsent.items + unsent.events > 0 ? { unsent, recording } : 'none'
}
