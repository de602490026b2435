import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SessionService } from '../../core/session/test-support/session-service.ts'
import { type Handler, ScriptedServer } from '../../core/upload/test-support/scripted-server.ts'
import { ManualClock } from '../../shared/test-support/manual-clock.ts'
import type { DesktopOptions } from '../desktop-agent.types.ts'
import { TestDesktop, type TestPlace } from './test-desktop.ts'

/** A folder, a clock, and a service: what the agents of a test are opened with, one after the other. */
export class DesktopPlace implements TestPlace {
  readonly dir: string
  readonly clock = new ManualClock()
  service = new SessionService(() => this.clock.wallMs())
  /** What answers; a test may put something else in the place of the service. */
  handle: Handler = this.service.handle
  readonly server = new ScriptedServer((request) => this.handle(request))
  /** Those that are to be closed at the end. */
  readonly desktops: TestDesktop[] = []
  #baseUrl = ''

  private constructor(dir: string) {
    this.dir = dir
  }

  static async open(): Promise<DesktopPlace> {
    const place = new DesktopPlace(await mkdtemp(join(tmpdir(), 'desktop-')))
    place.#baseUrl = await place.server.listen()
    return place
  }

  get baseUrl(): string {
    return this.#baseUrl
  }

  async close(): Promise<void> {
    for (const desktop of this.desktops) await desktop.agent.close()
    await this.server.close()
    await rm(this.dir, { recursive: true, force: true })
  }

  async openAgent(over: Partial<DesktopOptions> = {}): Promise<TestDesktop> {
    const desktop = await TestDesktop.open(this, over)
    this.desktops.push(desktop)
    return desktop
  }
}

export const lanesOf = ({ state }: TestDesktop) =>
  Object.fromEntries((state.recording?.lanes ?? []).map((lane) => [lane.lane, lane.state]))

/** What the policy has on, and the fake document did not ask about. */
export const later = { system_audio: 'not_asked', camera: 'not_asked' }
