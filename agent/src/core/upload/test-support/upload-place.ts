import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@integrity/client/every-endpoint'
import { ManualClock } from '../../../shared/test-support/manual-clock.ts'
import type { CapturedItem } from '../../capture/types.ts'
import { fileKeyStore } from '../../spool/key-store.ts'
import { Spool } from '../../spool/spool.ts'
import { Uploader } from '../uploader.ts'
import type { UploaderOptions } from '../uploader.types.ts'
import { EvidenceService } from './evidence-service.ts'
import { ScriptedServer } from './scripted-server.ts'

/** A spool in a folder of its own, and the service that an uploader empties it to. */
export class UploadPlace {
  readonly clock: ManualClock
  readonly service: EvidenceService
  readonly server: ScriptedServer
  spool: Spool
  readonly #dir: string
  readonly #baseUrl: string

  private constructor(
    parts: Pick<UploadPlace, 'clock' | 'service' | 'server' | 'spool'>,
    where: { dir: string; baseUrl: string },
  ) {
    this.clock = parts.clock
    this.service = parts.service
    this.server = parts.server
    this.spool = parts.spool
    this.#dir = where.dir
    this.#baseUrl = where.baseUrl
  }

  static async open(): Promise<UploadPlace> {
    const dir = await mkdtemp(join(tmpdir(), 'uploader-'))
    const clock = new ManualClock()
    const spool = await openSpool(dir, clock)
    const service = new EvidenceService()
    const server = new ScriptedServer(service.handle)
    return new UploadPlace({ clock, service, server, spool }, { dir, baseUrl: await server.listen() })
  }

  /** The service is one of before packs; that it is asked for them is not counted. */
  withoutPacks(status = 404): void {
    this.server.aside = (path) => (path.endsWith('/packs') ? status : undefined)
  }

  async close(): Promise<void> {
    await this.spool.close()
    await this.server.close()
    await rm(this.#dir, { recursive: true, force: true })
  }

  async loseFile(clientId: string): Promise<void> {
    await rm(join(this.#dir, 'items', `${clientId}.item`))
  }

  /** As a new start of the agent does, after the earlier one has closed it. */
  async openAgain(): Promise<void> {
    this.spool = await openSpool(this.#dir, this.clock)
  }

  buildUploader(overrides: Partial<UploaderOptions> = {}): Uploader {
    return new Uploader({
      spool: this.spool,
      client: createClient({ baseUrl: this.#baseUrl, token: 'sst_test' }),
      sessionId: 'ses_1',
      clock: this.clock,
      random: () => 1,
      ...overrides,
    })
  }

  put(overrides: Partial<CapturedItem> = {}) {
    return this.spool.put({
      kind: 'screenshot',
      lane: 'screen',
      displayId: ':1.0',
      capturedAt: this.clock.wallMs(),
      monotonicMs: 0,
      contentType: 'image/webp',
      bytes: randomBytes(2500),
      meta: { width: 1920, height: 1080 },
      ...overrides,
    })
  }

  putEvents(count: number): string[] {
    return this.spool.putEvents(
      Array.from({ length: count }, (_, index) => ({
        kind: 'display.added',
        observedAt: this.clock.wallMs(),
        monotonicMs: index,
        source: 'displays',
        data: { index },
      })),
    )
  }

  /** What was asked of the service so far. */
  paths(): string[] {
    return this.server.seen.map((request) => `${request.method} ${request.path}`)
  }
}

const openSpool = (dir: string, clock: ManualClock): Promise<Spool> =>
  Spool.open({ dir, keyStore: fileKeyStore(dir), clock })
