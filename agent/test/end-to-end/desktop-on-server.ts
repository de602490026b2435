import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { LaneName } from '@integrity/protocol'
import { liveOver } from '../../src/core/session/open-live.ts'
import { ScriptedCapture, ScriptedObservers } from '../../src/core/session/test-support/scripted-capture.ts'
import { fileKeyStore } from '../../src/core/spool/key-store.ts'
import { DesktopAgent } from '../../src/desktop/desktop-agent.ts'
import type { DesktopOptions } from '../../src/desktop/desktop-agent.types.ts'
import { systemClock } from '../../src/shared/clock.ts'
import { until } from '../test-support/until.ts'
import type { RealServer } from './real-server.ts'

export interface OpenDesktop {
  readonly agent: DesktopAgent
  readonly capture: ScriptedCapture
  /** The lanes that the operating system was to be asked about. */
  readonly permitted: LaneName[]
}

/** The service that an agent is in a session of, and a key of its organisation. */
type ServiceInUse = Pick<RealServer, 'api' | 'url'>

/** The core behind the window on a folder of its own, with lanes that a test drives, in sessions of a real server. */
export class DesktopOnServer {
  readonly folder: string
  readonly #server: ServiceInUse
  #open: DesktopAgent | undefined
  /** What came to the candidate's browser. */
  readonly opened: string[] = []
  /** Nothing of the agent reaches the service. */
  offline = false
  /** The service is one of before packs. */
  withoutPacks = false
  /** What was asked of the service, by path. */
  readonly asked: string[] = []

  private constructor(folder: string, server: ServiceInUse) {
    this.folder = folder
    this.#server = server
  }

  static async make(server: ServiceInUse): Promise<DesktopOnServer> {
    return new DesktopOnServer(await mkdtemp(join(tmpdir(), 'desktop-on-server-')), server)
  }

  /** Opens the agent on what the one before left. */
  async open(over: Partial<DesktopOptions> = {}): Promise<OpenDesktop> {
    const capture = new ScriptedCapture(systemClock)
    const permitted: LaneName[] = []
    const agent = await DesktopAgent.open({
      dataDir: this.folder,
      version: '1.0.0',
      platform: 'linux',
      locale: 'en',
      capture,
      observers: new ScriptedObservers(),
      create: () => new Map(),
      choices: { list: async () => [], choose: (sources) => sources },
      ports: {
        keyStore: fileKeyStore(this.folder),
        permissions: {
          status: () => 'unknown',
          ask: async (lane) => void permitted.push(lane),
          openSettings: async () => false,
        },
        window: { hide: () => undefined, quit: () => undefined },
        browser: { open: async (address) => void this.opened.push(address) },
      },
      fetchFor: () => async (url, init) => {
        if (this.offline) throw new TypeError('fetch failed')
        const { pathname } = new URL(url)
        this.asked.push(pathname)
        if (!this.withoutPacks || !pathname.endsWith('/packs')) return fetch(url, init)
        const error = { code: 'not_found', message: 'there is no such endpoint' }
        return Response.json({ success: false, error, requestId: 'req_none' }, { status: 404 })
      },
      openLiveFor: (url) => liveOver(url, systemClock),
      ...over,
    })
    this.#open = agent
    return { agent, capture, permitted }
  }

  /** A session with this policy, joined by the agent's own way, with a yes to every part. */
  async record(config: object): Promise<OpenDesktop & { readonly id: string }> {
    const { data: session } = await this.#server.api.call('sessions.create', { body: { config } })
    return this.recordIn(session.id)
  }

  /** The same in a session that is there. */
  async recordIn(id: string, over: Partial<DesktopOptions> = {}): Promise<OpenDesktop & { readonly id: string }> {
    const { api, url } = this.#server
    const link = { params: { id }, body: { role: 'candidate' } } as const
    const { data } = await api.call('sessions.joinLinks.create', link)
    const opened = await this.open(over)
    const { agent, permitted } = opened
    await agent.handlers['session.join']({ code: data.joinCode, server: url })
    await until('the consent page', () => agent.state().screen === 'consent')
    const { document } = agent.state().consent ?? {}
    const answers = Object.fromEntries(document?.lanes.map(({ lane }) => [lane, true]) ?? [])
    await agent.handlers['consent.agree']({ hash: document?.hash ?? '', answers })
    await agent.handlers['check.done']({})
    await until('the recording', () => agent.state().screen === 'recording' && agent.state().network.live)
    permitted.length = 0
    return { ...opened, id }
  }

  async close(): Promise<void> {
    await this.#open?.close()
    this.#open = undefined
  }

  async remove(): Promise<void> {
    await this.close()
    await rm(this.folder, { recursive: true, force: true, maxRetries: 3 })
  }
}
