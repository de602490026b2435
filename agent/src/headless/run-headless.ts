import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { createClient } from '@integrity/client/every-endpoint'
import type { OverPhase } from '@integrity/protocol'
import { AgentSession } from '../core/session/agent-session.ts'
import type { CapturePort, ObserversPort, OpenLive } from '../core/session/ports.ts'
import { RecordKeeper } from '../core/session/record-keeper.ts'
import { requestsAddress } from '../core/session/requests-address.ts'
import { serviceTimeoutMs } from '../core/session/service-calls.ts'
import { removedByService } from '../core/session/session-machine.ts'
import type { SessionRecord } from '../core/session/session-record.ts'
import { fileKeyStore, type KeyProtection } from '../core/spool/key-store.ts'
import { Spool } from '../core/spool/spool.ts'
import { SpoolInUse } from '../core/spool/types.ts'
import { describeError } from '../core/upload/answers.ts'
import { createMachineCapture } from '../machine/adapters/create-machine-capture.ts'
import { describeDevice } from '../machine/adapters/device-description.ts'
import { MachineObservers } from '../machine/adapters/machine-observers.ts'
import { type Clock, systemClock } from '../shared/clock.ts'
import { createServiceClock, type ServiceClock } from '../shared/service-clock.ts'
import type { MinisignPublicKey } from '../trust/minisign/minisign.ts'
import { type HeadlessArguments, readArguments, UsageError, usage } from './arguments.ts'
import { type CaptureLog, openCaptureLog } from './capture-log.ts'
import { answerLater, terminalConsent } from './consent-terminal.ts'
import { type HeadlessNetwork, openNetwork } from './headless-network.ts'
import { RunOutput } from './run-output.ts'
import { reportText } from './spool-report-text.ts'
import { type Status, statusJson, statusText } from './status-lines.ts'

/** How the agent ended. `unsent`: items are left for a next start. */
export const exitCodes = { done: 0, failed: 1, usage: 2, refused: 3, unsent: 4 } as const satisfies Record<
  OverPhase | 'usage' | 'unsent',
  number
>

export interface HeadlessHost {
  readonly input: Readable
  readonly output: Writable
  /** The first abort ends the session and sends what is left, the second leaves at once. */
  readonly stop: AbortSignal
  readonly leave: AbortSignal
  readonly clock?: Clock
  /** This machine's unless told. */
  readonly capture?: CapturePort
  readonly observers?: ObserversPort
  /** Connects to the server unless told. */
  readonly openLive?: OpenLive
  /** Those built in, and the system's authorities, unless told. */
  readonly releaseKeys?: readonly MinisignPublicKey[]
  readonly ca?: string
  readonly version: string
}

const removedText =
  'The service has removed this session. What had not been sent by then was deleted from this computer.'
const statusEveryMs = 10_000

/** The session of a run, and how the service is reached. */
interface Way {
  readonly server: string
  readonly network: HeadlessNetwork
  readonly saved: SessionRecord | undefined
  readonly joins: boolean
}

/** Everything one run needs; made once the folder is open. */
class Run {
  readonly #args: HeadlessArguments
  readonly #host: HeadlessHost
  readonly #clock: ServiceClock
  readonly #captured: Record<string, number> = {}
  readonly #over = new AbortController()
  #ledger: CaptureLog | undefined
  #protection: KeyProtection = 'basic'
  readonly #output: RunOutput

  constructor(args: HeadlessArguments, host: HeadlessHost) {
    this.#args = args
    this.#host = host
    this.#clock = createServiceClock(host.clock ?? systemClock)
    this.#output = new RunOutput(host.output, args.json, this.#clock)
  }

  async run(): Promise<number> {
    const { dataDir, maxBytes, ledger } = this.#args
    const keyStore = fileKeyStore(dataDir)
    this.#protection = keyStore.protection
    const spool = await Spool.open({
      dir: dataDir,
      keyStore,
      clock: this.#clock,
      ...(maxBytes === undefined ? {} : { maxBytes }),
      onReport: (report) => this.#output.say({ type: 'report', ...report }, reportText(report)),
      onStored: (header) => {
        this.#captured[header.kind] = (this.#captured[header.kind] ?? 0) + 1
        this.#ledger?.add(header)
      },
    })
    try {
      if (ledger) this.#ledger = openCaptureLog(join(dataDir, 'captured.jsonl'))
      this.#output.say(
        { type: 'spool', dir: dataDir, keyProtection: keyStore.protection },
        `Unsent items are kept sealed in ${dataDir}; protection of their key: ${keyStore.protection} (a file only this user can read).`,
      )
      return await this.#session(spool)
    } finally {
      this.#over.abort()
      await spool.close()
      this.#ledger?.close()
    }
  }

  async #session(spool: Spool): Promise<number> {
    const saved = await this.#saved(spool)
    const joins = this.#args.joinCode !== undefined || this.#args.token !== undefined
    if (!joins && !saved) throw new UsageError(`no session is left in ${this.#args.dataDir}: give --join`)
    if (joins && saved?.acceptedAt !== undefined) {
      throw new UsageError(
        `${this.#args.dataDir} holds an unfinished session: start without --join, or name another --data`,
      )
    }
    const server = this.#args.server ?? saved?.server ?? ''
    const { clock = systemClock, version, releaseKeys: keys, ca } = this.#host
    const onTrouble = (trouble: string): void => this.#output.trouble(trouble)
    const network = await openNetwork({ server, dataDir: this.#args.dataDir, version, clock, keys, ca, onTrouble })
    try {
      return await this.#record(spool, { server, network, saved, joins })
    } finally {
      await network.close()
    }
  }

  async #record(spool: Spool, way: Way): Promise<number> {
    const { saved, joins, network } = way
    const minimum = joins ? await network.minimumVersion() : undefined
    if (minimum !== undefined) {
      const text = `The service works with version ${minimum} or newer of this program. Nothing is recorded, and the code stays as it is.`
      this.#output.say({ type: 'below_minimum', minimum }, text)
      return exitCodes.failed
    }
    const session = this.#makeSession(spool, way)
    const status = this.#printStatus(session)
    if (joins) await session.join(this.#entry())
    else if (saved) await session.restore(saved)
    const code = await this.#untilOver(session)
    this.#over.abort()
    await status
    this.#printOnce(session)
    this.#sayWhereToAsk(session)
    await session.close()
    return code
  }

  async #saved(spool: Spool): Promise<SessionRecord | undefined> {
    try {
      return await RecordKeeper.saved(spool)
    } catch (error) {
      const why = describeError(error)
      throw new UsageError(`the session in ${this.#args.dataDir} cannot be read (${why}): name another --data`)
    }
  }

  #entry() {
    const { joinCode, token, sessionId } = this.#args
    return joinCode === undefined ? { token: token ?? '', sessionId: sessionId ?? '' } : { joinCode }
  }

  #makeSession(spool: Spool, { server, network }: Way): AgentSession {
    const { cameraFile, micSource, systemSource, display, yesConsent, decline, language, speechModel } = this.#args
    const { fetch, openLive } = network
    const env = display === undefined ? undefined : { ...process.env, DISPLAY: display }
    const onTrouble = (trouble: string): void => this.#output.trouble(trouble)
    const sources = { cameraFile, micSource, systemSource, env }
    const { input, version } = this.#host
    const say = (line: string): void => this.#output.say({ type: 'text', text: line }, line)
    const observers =
      this.#host.observers ??
      new MachineObservers(this.#clock, {
        env,
        speechModel,
        ...(this.#host.clock ? { clock: this.#host.clock } : {}),
      })
    const session: AgentSession = new AgentSession({
      spool,
      clock: this.#clock,
      server,
      clientFor: (token) => createClient({ baseUrl: server, fetch, token, timeoutMs: serviceTimeoutMs }),
      capture:
        this.#host.capture ??
        createMachineCapture({
          sources,
          clock: this.#clock,
          spool,
          onTrouble,
          speechModel,
          env,
          onCameraLook: (look) => observers.looked?.(look),
        }),
      observers,
      askConsent: terminalConsent({ input, say, yes: yesConsent, decline, clock: this.#clock }),
      onAskedLater: (question) => {
        const { answers, lines } = answerLater(question, { yes: yesConsent, decline })
        for (const line of lines) say(line)
        session.answerLater(question.document.hash, answers)
      },
      device: describeDevice(version, process.platform),
      ...(language === undefined ? {} : { locale: () => language }),
      onPhase: (phase) => this.#output.say({ type: 'phase', phase }, `— ${phase}`),
      onTrouble,
      openLive: this.#host.openLive ?? openLive,
    })
    return session
  }

  /** Resolves with the exit code when the session rests, or was told to stop and has had its time. */
  async #untilOver(session: AgentSession): Promise<number> {
    const { stop, leave } = this.#host
    const left = aborted(leave, this.#over.signal).then(() => 'left' as const)
    const stopped = aborted(stop, this.#over.signal).then(() => 'stopped' as const)
    const first = await Promise.race([session.rested, stopped, left])
    if (first === 'left') return this.#codeOf(session)
    if (first === 'stopped') {
      await session.dispatch({ type: 'end', reason: 'completed' })
      if (session.phase === 'finishing') {
        this.#output.say({ type: 'draining' }, `Sending what is left, for at most ${this.#args.drainMs / 1000} s.`)
        await Promise.race([session.rested, left, this.#clock.sleep(this.#args.drainMs, this.#over.signal)])
      }
    }
    return this.#codeOf(session)
  }

  #codeOf(session: AgentSession): number {
    switch (session.phase) {
      case 'done':
        if (session.status().state.endReason === removedByService) this.#output.say({ type: 'removed' }, removedText)
        return exitCodes.done
      case 'refused':
        return exitCodes.refused
      case 'failed':
        return exitCodes.failed
      default: {
        const text = 'Everything unsent is kept; start again with the same --data to go on.'
        this.#output.say({ type: 'kept', ...session.status().remaining }, text)
        return exitCodes.unsent
      }
    }
  }

  /** Not a link: nobody may be in front of this terminal whom it is for. */
  #sayWhereToAsk(session: AgentSession): void {
    const address = requestsAddress(session.status().joined)
    if (address !== undefined)
      this.#output.say({ type: 'requests', address }, `See your data, or ask for it: ${address}`)
  }

  async #printStatus(session: AgentSession): Promise<void> {
    while (!this.#over.signal.aborted) {
      await this.#clock.sleep(statusEveryMs, this.#over.signal)
      // While the candidate reads the consent page nothing scrolls by.
      if (!this.#over.signal.aborted && session.phase !== 'consenting') this.#printOnce(session)
    }
  }

  #printOnce(session: AgentSession): void {
    const { joined: _joined, state: _state, later: _later, ...shown } = session.status()
    const status: Status = { ...shown, captured: { ...this.#captured }, keyProtection: this.#protection }
    this.#output.line(this.#args.json ? statusJson(status) : statusText(status))
  }
}

/** Resolves when `signal` aborts; never, once `over` has. */
const aborted = (signal: AbortSignal, over: AbortSignal): Promise<void> => {
  if (signal.aborted) return Promise.resolve()
  const { promise, resolve } = Promise.withResolvers<void>()
  signal.addEventListener('abort', () => resolve(), { once: true, signal: over })
  return promise
}

/** Runs the agent without a window until the session is over or it is told to stop. Gives the exit code. */
export const runHeadless = async (args: readonly string[], host: HeadlessHost): Promise<number> => {
  const say = (line: string): boolean => host.output.write(`${line}\n`)
  try {
    const parsed = readArguments(args)
    if (parsed.help) {
      say(usage)
      return exitCodes.done
    }
    return await new Run(parsed, host).run()
  } catch (error) {
    if (error instanceof UsageError) {
      say(`${error.message}\n\n${usage}`)
      return exitCodes.usage
    }
    say(error instanceof SpoolInUse ? error.message : `The agent stopped: ${describeError(error)}`)
    return exitCodes.failed
  }
}
