import type { Failure, FailureKind, IntegrityError } from '@integrity/client/errors'
import type { PackOutcomes } from '@integrity/client/send-packed'
import { failed } from '@integrity/client/test-support/failed'
import type { CompanionApi } from '../src/session/companion-api.ts'
import type { QueuedClip, QueuedPlacement, QueuePort } from '../src/session/queue.port.ts'
import {
  CameraError,
  type CameraProblem,
  type DeviceReading,
  type OpenCamera,
  type Ports,
  type TimePort,
} from '../src/session/session.ports.ts'
import type { Beat, Claimed, Picture, Status } from '../src/session/session.types.ts'

/** Time that stands still until a test moves it. */
export class ManualTime implements TimePort {
  nowMs = Date.UTC(2026, 10, 20, 10)
  #waiting: { due: number; action: () => void }[] = []

  after(ms: number, action: () => void): () => void {
    const entry = { due: this.nowMs + ms, action }
    this.#waiting.push(entry)
    return () => {
      this.#waiting = this.#waiting.filter((other) => other !== entry)
    }
  }
  random(): number {
    return 0.5
  }
  /** A page that is gone has no timers. */
  forget(): void {
    this.#waiting = []
  }
  /** Runs what is due, in order. */
  advance(ms: number): void {
    const end = this.nowMs + ms
    for (;;) {
      const [next] = this.#waiting.filter(({ due }) => due <= end).sort((a, b) => a.due - b.due)
      if (!next) break
      this.#waiting = this.#waiting.filter((other) => other !== next)
      this.nowMs = Math.max(this.nowMs, next.due)
      next.action()
    }
    this.nowMs = end
  }
}

export const bytesOf = (text: string): ArrayBuffer => new TextEncoder().encode(text).buffer

const picture: Picture = { bytes: bytesOf('a picture'), contentType: 'image/jpeg' }

/** A camera that films when asked and is lost when a test says so. */
export class FakeCamera implements OpenCamera {
  readonly view = undefined
  picture: Picture | undefined = picture
  smallPicture: ArrayBuffer | undefined
  closed = false
  health: (health: 'ok' | 'muted' | 'ended') => void = () => {}
  chunk: ((bytes: ArrayBuffer) => void) | undefined

  async take(): Promise<Picture | undefined> {
    return this.picture
  }
  async sample() {
    return undefined
  }
  async small() {
    return this.smallPicture
  }
  film(onChunk: (bytes: ArrayBuffer) => void) {
    this.chunk = onChunk
    return {
      contentType: 'video/webm',
      stop: async () => {
        this.chunk = undefined
        onChunk(bytesOf('last'))
      },
    }
  }
  onHealth(listener: (health: 'ok' | 'muted' | 'ended') => void): void {
    this.health = listener
  }
  close(): void {
    this.closed = true
  }
}

const config = (recording: boolean): Claimed['config'] => ({
  sideView: { enabled: true, previewIntervalSeconds: 10, recording },
  presenceIntervalSeconds: 10,
})

/** The service: answers like it, remembers what came, and can be cut off. */
export class FakeService implements CompanionApi {
  /** Refuses or cuts the named request until it is taken away. */
  readonly problems = new Map<keyof CompanionApi, IntegrityError>()
  readonly claims: { code: string; key: string; locale: string | undefined }[] = []
  readonly beats: Beat[] = []
  readonly placements: QueuedPlacement[] = []
  readonly clips: QueuedClip[] = []
  /** How many clips came in each pack. */
  readonly packs: number[] = []
  /** How clips of packs are refused, by their id. */
  readonly refusedClips = new Map<string, IntegrityError>()
  previews = 0
  unpaired = 0
  answers: boolean[] = []
  config: Claimed['config']
  state: Claimed['session']['state'] = 'live'
  consentState: Status['consent'] = 'pending'

  constructor(recording = false) {
    this.config = config(recording)
  }

  fail(name: keyof CompanionApi, kind: FailureKind, more: Partial<Failure> = {}): void {
    this.problems.set(name, failed(kind, more))
  }
  #check(name: keyof CompanionApi): void {
    const problem = this.problems.get(name)
    if (problem) throw problem
  }

  async claim(code: string, key: string, _device: unknown, locale?: string): Promise<Claimed> {
    this.claims.push({ code, key, locale })
    this.#check('claim')
    return {
      companionId: 'cpn_1',
      companionToken: 'cmt_1',
      expiresAt: '2026-11-21T10:00:00.000Z',
      session: { id: 'ses_1', state: this.state, candidateLabel: 'A. Candidate', schedule: null },
      org: { name: 'Org', brand: {} },
      inviter: { name: 'Meera Nair', replyTo: 'meera@harbour.example' },
      config: this.config,
      consentDocument: documentOf('first'),
    }
  }
  async consent(_who: unknown, { accepted }: { accepted: boolean }): Promise<Status> {
    this.#check('consent')
    this.answers.push(accepted)
    this.consentState = accepted ? 'granted' : 'declined'
    return this.status()
  }
  async presence(_who: unknown, beats: readonly Beat[]) {
    this.#check('presence')
    this.beats.push(...beats)
    return { accepted: beats.length, duplicates: 0, ignored: 0, session: { state: this.state }, config: this.config }
  }
  async status(_who?: unknown, locale?: string): Promise<Status & { consentDocument?: Claimed['consentDocument'] }> {
    this.#check('status')
    const status = { consent: this.consentState, config: this.config } as Status
    return locale === undefined ? status : { ...status, consentDocument: { ...documentOf(`in ${locale}`), locale } }
  }
  async placement(_who: unknown, item: QueuedPlacement): Promise<void> {
    this.#check('placement')
    this.placements.push(item)
  }
  async preview(): Promise<void> {
    this.#check('preview')
    this.previews += 1
  }
  async pack(_who: unknown, items: readonly QueuedClip[]): Promise<PackOutcomes> {
    this.#check('pack')
    this.packs.push(items.length)
    return items.map((item) => this.#packed(item))
  }
  #packed(item: QueuedClip): PackOutcomes[number] {
    const { clientId } = item
    const refused = this.refusedClips.get(clientId) ?? this.problems.get('clip')
    if (refused) return { clientId, status: 'refused', error: { code: refused.code, message: refused.message } }
    this.clips.push(item)
    return { clientId, status: 'stored' }
  }
  async clip(_who: unknown, item: QueuedClip): Promise<void> {
    this.#check('clip')
    this.clips.push(item)
  }
  async unpair(): Promise<void> {
    this.#check('unpair')
    this.unpaired += 1
  }
}

export const documentOf = (words: string): Claimed['consentDocument'] => ({
  version: '1',
  locale: 'en',
  hash: words.padEnd(64, '0'),
  retentionDays: 90,
  aids: [],
  lanes: [{ lane: 'side_view', required: false, title: 'Phone', text: words }],
})

/** Everything around a session, under a test's hands. */
export class FakeWorld {
  readonly time = new ManualTime()
  readonly service: FakeService
  camera = new FakeCamera()
  cameraProblem: CameraProblem | undefined
  ahead = 0
  awake = 0
  /** The one that was opened last. */
  queue: QueuePort | undefined
  readonly services: string[] = []
  reading: DeviceReading = { battery: 0.5, charging: true, network: 'wifi', orientation: 'portrait', foreground: true }
  language = 'en'
  /** As if the app was opened in another tab. */
  taken = () => {}
  foreground = () => {}
  online = () => {}
  readonly ports: Ports
  #made = 0

  constructor(openQueue: () => Promise<QueuePort>, recording = false) {
    this.service = new FakeService(recording)
    const { time } = this
    const ahead = () => this.ahead
    this.ports = {
      api: this.service,
      time,
      openQueue: async () => {
        this.queue = await openQueue()
        return this.queue
      },
      language: () => this.language,
      learnService: (baseUrl) => void this.services.push(baseUrl),
      serverTime: {
        now: () => time.nowMs + this.ahead,
        observe: () => {},
        get ahead() {
          return ahead()
        },
      },
      camera: { supported: true, open: () => this.#open() },
      motion: { start: () => () => {} },
      device: {
        facts: { platform: 'test' },
        takeOver: async (onTaken) => {
          this.taken()
          this.taken = onTaken
        },
        read: async () => this.reading,
        onForeground: (listener) => {
          this.foreground = listener
          return () => {}
        },
        onOnline: (listener) => {
          this.online = listener
          return () => {}
        },
        stayAwake: () => {
          this.awake += 1
          return () => {
            this.awake -= 1
          }
        },
        newId: () => `item-${crypto.randomUUID()}-${this.#made++}`.slice(0, 60),
      },
    }
  }

  bringForward(foreground: boolean): void {
    this.reading = { ...this.reading, foreground }
    this.foreground()
  }

  async #open(): Promise<OpenCamera> {
    if (this.cameraProblem) throw new CameraError(this.cameraProblem)
    this.camera = new FakeCamera()
    return this.camera
  }
}
