import {
  type GapReason,
  isRecordedLane,
  type LaneName,
  type PermissionState,
  type RecordedLane,
  type SessionConfig,
} from '@integrity/protocol'
import type { CaptureConfig, CapturedItem, LaneSink, Sample } from '../core/capture/types.ts'
import type { Sources } from '../machine/adapters/capture-config.ts'
import type { createLanes } from '../machine/adapters/create-lanes.ts'
import { MachineCapture } from '../machine/adapters/machine-capture.ts'
import type { Clock } from '../shared/clock.ts'
import type { Preview, WindowState } from '../shared/ipc/window-state.ts'
import type { DeviceChoices } from './device-choices.ts'
import { isStill, smallPicture } from './small-picture.ts'

export type CheckedLane = NonNullable<WindowState['check']>['lanes'][number]
export type SpeakerTest = NonNullable<WindowState['check']>['speakerTest']

export interface DeviceCheckOptions {
  readonly clock: Clock
  readonly create: typeof createLanes
  readonly choices: DeviceChoices
  /** Where the lanes take their pictures and sound from; the candidate's choices are added. */
  readonly sources: Sources
  readonly permission: (lane: LaneName) => PermissionState
  readonly hasSettings: (lane: LaneName) => boolean
  /** On macOS a new permission for the screen holds only for a program that starts after it. */
  readonly restartAfterPermission: (lane: LaneName) => boolean
  readonly onChange: () => void
  readonly onPreview: (preview: Preview) => void
}

/** Quieter than a quiet room: nothing is heard at all. */
const silenceDb = -90
const meterMs = 400
const silentAfterMs = 4000
const speakerTestMs = 8000
const heardDb = -60

/** Short intervals, small pictures: what is shown once and thrown away. */
const checkPolicy = (config: SessionConfig): SessionConfig => ({
  ...config,
  capture: { ...config.capture, recording: false, screenshotIntervalSeconds: 2, quality: 50 },
  audio: { ...config.audio, chunkSeconds: 2 },
  camera: { ...config.camera, stills: true, clips: false, stillIntervalSeconds: 1 },
})

/** The meters move. */
const measuredOften = (config: CaptureConfig): CaptureConfig => ({
  ...config,
  screen: { ...config.screen, keyframeIntervalMs: config.screen.stillIntervalMs },
  microphone: { ...config.microphone, confirmMs: meterMs },
  systemAudio: { ...config.systemAudio, confirmMs: meterMs },
})

const stateOfReason: Readonly<Partial<Record<GapReason, CheckedLane['state']>>> = {
  permission_denied: 'denied',
  permission_lapsed: 'denied',
  unplugged: 'missing',
  not_observable: 'not_observable',
}

interface Tried {
  readonly lane: RecordedLane
  state: CheckedLane['state']
  detail: string | undefined
  driver: string | undefined
  device: string | undefined
  readonly displays: Map<string, boolean>
  firstSampleAt: number | undefined
  lastLoudAt: number | undefined
  wasDenied: boolean
}

const tried = (lane: RecordedLane): Tried => ({
  lane,
  state: 'trying',
  detail: undefined,
  driver: undefined,
  device: undefined,
  displays: new Map(),
  firstSampleAt: undefined,
  lastLoudAt: undefined,
  wasDenied: false,
})

/**
 * Tries the agreed lanes by the very drivers that will record, and judges them by what they deliver. Nothing is kept:
 * pictures are shown small and thrown away, sound is measured.
 */
export class DeviceCheck {
  readonly #options: DeviceCheckOptions
  #lanes = new Map<RecordedLane, Tried>()
  #choices: readonly { readonly lane: LaneName; readonly id: string; readonly label: string }[] = []
  #sources: Sources
  #capture: MachineCapture | undefined
  #config: SessionConfig | undefined
  #speaker: SpeakerTest = 'idle'
  #speakerEnd: AbortController | undefined
  #unwatch: (() => void) | undefined

  constructor(options: DeviceCheckOptions) {
    this.#options = options
    this.#sources = options.sources
  }

  /** The sources with the candidate's choices, for the recording that follows. */
  get sources(): Sources {
    return this.#sources
  }

  async start(lanes: readonly LaneName[], config: SessionConfig): Promise<void> {
    await this.stop()
    this.#config = config
    this.#lanes = new Map(lanes.filter(isRecordedLane).map((lane) => [lane, tried(lane)]))
    await this.#listChoices()
    await this.#open()
  }

  /** Lists the devices again: one came or went. What is tried goes on. */
  async refreshChoices(): Promise<void> {
    const config = this.#config
    if (!config) return
    const choices = await this.#options.choices.list([...this.#lanes.keys()])
    if (this.#config !== config) return
    this.#choices = choices
    this.#options.onChange()
  }

  /** Tries one lane, or all, from the beginning: a permission may have been given meanwhile. */
  async again(lane?: LaneName): Promise<void> {
    if (!this.#config) return
    for (const [name, { wasDenied }] of this.#lanes)
      if (lane === undefined || lane === name) this.#lanes.set(name, { ...tried(name), wasDenied })
    await this.#listChoices()
    await this.#close()
    await this.#open()
  }

  async choose(lane: LaneName, deviceId: string): Promise<boolean> {
    if (!this.#choices.some((choice) => choice.lane === lane && choice.id === deviceId)) return false
    this.#sources = this.#options.choices.choose(this.#sources, lane, deviceId)
    await this.again(lane)
    return true
  }

  /** Listens on the system-audio lane for the sound that the window plays now. */
  listenForSpeaker(): void {
    this.#speakerEnd?.abort()
    const end = new AbortController()
    this.#speakerEnd = end
    this.#speaker = 'playing'
    this.#options.onChange()
    void this.#options.clock.sleep(speakerTestMs, end.signal).then(() => {
      if (end.signal.aborted || this.#speaker !== 'playing') return
      this.#speaker = 'not_heard'
      this.#options.onChange()
    })
  }

  async stop(): Promise<void> {
    this.#speakerEnd?.abort()
    this.#unwatch?.()
    this.#unwatch = undefined
    this.#speaker = 'idle'
    this.#config = undefined
    await this.#close()
    this.#lanes.clear()
  }

  view(): NonNullable<WindowState['check']> {
    return { lanes: [...this.#lanes.values()].map((lane) => this.#viewOf(lane)), speakerTest: this.#speaker }
  }

  #viewOf(lane: Tried): CheckedLane {
    const { restartAfterPermission, hasSettings } = this.#options
    const devices = this.#choices.filter((choice) => choice.lane === lane.lane)
    const denied = lane.state === 'denied'
    return {
      lane: lane.lane,
      state: this.#judged(lane),
      ...(lane.driver === undefined ? {} : { driver: lane.driver }),
      ...(lane.device === undefined ? {} : { device: lane.device }),
      devices: devices.map(({ id, label }) => ({ id, label })),
      displays: [...lane.displays].map(([id, working]) => ({ id, label: id, working })),
      ...(lane.detail === undefined ? {} : { detail: lane.detail.slice(0, 500) }),
      settings: denied && hasSettings(lane.lane),
      needsRestart: lane.wasDenied && lane.state !== 'working' && restartAfterPermission(lane.lane),
    }
  }

  #judged(lane: Tried): CheckedLane['state'] {
    if (lane.state !== 'working' || lane.firstSampleAt === undefined) return lane.state
    const now = this.#options.clock.monotonicMs()
    const lastHeard = lane.lastLoudAt ?? lane.firstSampleAt
    return now - lastHeard >= silentAfterMs ? 'silent' : 'working'
  }

  /** Watches again too: what was watched may have crashed since. */
  async #listChoices(): Promise<void> {
    const { choices } = this.#options
    this.#unwatch?.()
    this.#unwatch = choices.watch?.(() => void this.refreshChoices())
    this.#choices = await choices.list([...this.#lanes.keys()])
  }

  async #open(): Promise<void> {
    const config = this.#config
    if (!config || this.#lanes.size === 0) return
    const capture = new MachineCapture({
      sources: this.#sources,
      clock: this.#options.clock,
      create: this.#options.create,
      adjust: measuredOften,
      onTrouble: () => undefined,
      onLost: (lost) => this.#lost(lost),
    })
    this.#capture = capture
    await capture.apply([...this.#lanes.keys()], checkPolicy(config), this.#sink())
    this.#options.onChange()
  }

  async #close(): Promise<void> {
    const capture = this.#capture
    this.#capture = undefined
    await capture?.stop()
  }

  #lost({ lane, reason, detail }: { lane: RecordedLane; reason: GapReason; detail: string }): void {
    const entry = this.#lanes.get(lane)
    if (!entry) return
    const refused = this.#options.permission(lane) === 'denied'
    entry.state = refused ? 'denied' : (stateOfReason[reason] ?? 'failed')
    entry.wasDenied ||= entry.state === 'denied'
    entry.detail = detail
    entry.firstSampleAt = undefined
    this.#options.onChange()
  }

  #sink(): LaneSink {
    return {
      item: (item) => this.#item(item).then(() => true),
      unchanged: (displayId) => this.#seen('screen', displayId, true),
      gap: () => undefined,
      health: ({ lane, displayId, state }) => {
        if (displayId !== undefined) this.#seen(lane, displayId, state !== 'down')
      },
      sample: (lane, sample) => this.#sample(lane, sample),
    }
  }

  #seen(lane: string, displayId: string, working: boolean): void {
    this.#lanes.get(lane as RecordedLane)?.displays.set(displayId, working)
  }

  #sample(lane: RecordedLane, { levelDb, varies, displayId }: Sample): void {
    const entry = this.#lanes.get(lane)
    if (!entry) return
    const now = this.#options.clock.monotonicMs()
    entry.state = 'working'
    entry.detail = undefined
    entry.firstSampleAt ??= now
    if (displayId !== undefined) this.#seen(lane, displayId, true)
    const alive = levelDb === undefined ? varies !== false : levelDb > silenceDb
    if (alive) entry.lastLoudAt = now
    if (levelDb !== undefined) this.#options.onPreview({ lane, levelDb })
    const heard = lane === 'system_audio' && this.#speaker === 'playing' && (levelDb ?? silenceDb) > heardDb
    if (heard) this.#speaker = 'heard'
    this.#options.onChange()
  }

  async #item(item: CapturedItem): Promise<void> {
    const { lane, meta } = item
    const entry = this.#lanes.get(lane)
    if (!entry) return
    entry.driver = meta.driver
    entry.device = meta.device
    if (isStill(item)) this.#options.onPreview(await smallPicture(item))
  }
}
