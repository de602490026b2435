import { join } from 'node:path'
import { createClient } from '@integrity/client/every-endpoint'
import type { PictureLook } from '../core/capture/types.ts'
import { AgentSession } from '../core/session/agent-session.ts'
import type { CapturePort, LaneListener, ObserversPort } from '../core/session/ports.ts'
import { RecordKeeper } from '../core/session/record-keeper.ts'
import { serviceTimeoutMs } from '../core/session/service-calls.ts'
import type { SessionRecord } from '../core/session/session-record.ts'
import { Spool } from '../core/spool/spool.ts'
import type { SpoolOptions } from '../core/spool/spool.types.ts'
import { describeError } from '../core/upload/answers.ts'
import { createLanes } from '../machine/adapters/create-lanes.ts'
import { createMachineCapture } from '../machine/adapters/create-machine-capture.ts'
import { describeDevice, observedPlatform } from '../machine/adapters/device-description.ts'
import { MachineObservers } from '../machine/adapters/machine-observers.ts'
import { type Clock, systemClock } from '../shared/clock.ts'
import type { Problem } from '../shared/ipc/window-state.ts'
import type { ServiceClock } from '../shared/service-clock.ts'
import type { CheckFlow } from './check-flow.ts'
import type { DesktopOptions } from './desktop-agent.types.ts'
import type { PermissionWatch } from './permission-watch.ts'
import { problemOf } from './problems.ts'

export interface DesktopSessionParts {
  readonly options: DesktopOptions
  readonly server: string
  readonly spool: Spool
  readonly clock: ServiceClock
  readonly observers: ObserversPort
  readonly listener: LaneListener
  readonly flow: CheckFlow
  readonly permissions: PermissionWatch
  readonly locale: () => string
  /** The service has answered. */
  readonly onAnswer: () => void
  readonly onChange: () => void
  readonly onProblem: (problem: Problem) => void
}

/** What is unsent, in the program's own folder. Throws `SpoolInUse` when another program has it open. */
export const openDesktopSpool = (
  { dataDir, ports, maxBytes }: DesktopOptions,
  clock: Clock,
  told: Pick<SpoolOptions, 'onReport' | 'onStored'>,
): Promise<Spool> =>
  Spool.open({
    dir: join(dataDir, 'spool'),
    keyStore: ports.keyStore,
    clock,
    ...(maxBytes === undefined ? {} : { maxBytes }),
    ...told,
  })

/** A record that cannot be read is set aside with what it belongs to: the session goes on being the service's. */
export const savedSession = async (
  spool: Spool,
  options: DesktopOptions,
  onProblem: (problem: Problem) => void,
): Promise<SessionRecord | undefined> => {
  try {
    return await RecordKeeper.saved(spool)
  } catch (error) {
    const detail = describeError(error)
    options.onTrouble?.(`the earlier session cannot be read: ${detail}`)
    onProblem({ code: 'storage_unusable', detail })
    return undefined
  }
}

/** This machine's observers; the computer's own clock is one of the things that they watch. */
export const machineObservers = (options: DesktopOptions, clock: Clock): ObserversPort => {
  const { ports, platform, sources, speechModel, clock: machineClock = systemClock } = options
  return new MachineObservers(clock, {
    clock: machineClock,
    platform: observedPlatform(platform),
    speechModel,
    ...(sources?.env ? { env: sources.env } : {}),
    ...(ports.shell ? { shell: ports.shell } : {}),
  })
}

const captureOf = ({ options, flow, spool, clock, observers }: DesktopSessionParts): CapturePort => {
  const { capture, create = createLanes, speechModel, launchSpeech } = options
  const onTrouble = (trouble: string): void => options.onTrouble?.(trouble)
  const sources = () => flow.sources
  const onCameraLook = (look: PictureLook): void => observers.looked?.(look)
  const parts = { sources, clock, create, onTrouble, spool, speechModel, launchSpeech, onCameraLook }
  return capture ?? createMachineCapture(parts)
}

/** The session with one service, recorded by this machine and answered for in the window. */
export const createDesktopSession = (parts: DesktopSessionParts): AgentSession => {
  const { options, server, spool, clock, observers, listener, flow, permissions, onChange } = parts
  const { version, platform, openLiveFor, fetchFor } = options
  const fetchOnce = fetchFor?.(server) ?? fetch
  const told = async (url: string, init: RequestInit): Promise<Response> => {
    const answer = await fetchOnce(url, init)
    parts.onAnswer()
    return answer
  }
  const session: AgentSession = new AgentSession({
    spool,
    clock,
    server,
    clientFor: (token) => createClient({ baseUrl: server, fetch: told, token, timeoutMs: serviceTimeoutMs }),
    capture: captureOf(parts),
    observers,
    listener,
    askConsent: flow.prompt.ask,
    device: describeDevice(version, platform),
    locale: parts.locale,
    permissions: () => permissions.all(),
    onPhase: onChange,
    onAskedLater: onChange,
    onTrouble: (trouble) => options.onTrouble?.(trouble),
    onFailure: (error) => parts.onProblem(problemOf(error, session.caller() ? 'session' : 'join')),
    ...(openLiveFor ? { openLive: openLiveFor(server) } : {}),
  })
  return session
}
