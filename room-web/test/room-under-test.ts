import 'fake-indexeddb/auto'
import { ManualTime } from '@integrity/shared-ui/test-support/manual-time'
import { vi } from 'vitest'
import { Room } from '../src/session/room.machine.ts'
import type { TabMemory } from '../src/session/room.ports.ts'
import type { RoomState, StateNamed } from '../src/session/room.states.ts'
import { openStillsQueue, type StillsQueue } from '../src/session/stills.queue.ts'
import { FakeCamera } from './fake-camera.ts'
import { FakeService } from './fake-service.ts'

export const sessionId = 'ses_1'

let databases = 0

/** A browser tab: what outlives a reload, and the room that is open in it. */
export class Tab {
  readonly service = new FakeService()
  readonly camera = new FakeCamera()
  readonly time = new ManualTime()
  readonly memory: TabMemory & { forgotten: boolean } = {
    camera: undefined,
    stopping: false,
    forgotten: false,
    forget() {
      this.forgotten = true
    },
  }
  readonly #database: string
  #queue: Promise<StillsQueue> | undefined
  /** False: another tab has the room. */
  free = true
  /** The browser keeps nothing. */
  noStorage = false
  /** How long a picture waits for others: not at all, unless a test says so. */
  gatherMs = 0
  /** Another tab takes the room over. */
  taken = () => {}
  /** The tab that has the room is closed. */
  otherCloses = () => {}
  /** The browser says that the network is back. */
  networkBack = () => {}
  awake = 0
  room: Room

  constructor() {
    databases += 1
    this.#database = `room-${databases}`
    this.room = this.#open()
  }

  /** The page is gone without a word, as in a crash or a reload, and comes again. */
  async reload(): Promise<void> {
    const queue = await this.#queue
    this.room.suspend()
    queue?.close()
    this.#queue = undefined
    this.camera.opened = []
    this.camera.openNow = 0
    this.room = this.#open()
    this.room.start()
  }

  queue(): Promise<StillsQueue> {
    if (this.noStorage) return Promise.reject(new Error('no storage'))
    this.#queue ??= openStillsQueue(this.#database, undefined, () => this.time.now())
    return this.#queue
  }

  /** Waits for a state, and answers it. */
  async state<Name extends RoomState['name']>(
    name: Name,
    also: (state: StateNamed<Name>) => boolean = () => true,
  ): Promise<StateNamed<Name>> {
    const is = (state: RoomState): state is StateNamed<Name> => state.name === name
    await vi.waitFor(
      () => {
        const { state } = this.room
        if (!is(state) || !also(state)) throw new Error(`it is ${JSON.stringify(state)}`)
      },
      { interval: 1, timeout: 10_000 },
    )
    return this.room.state as StateNamed<Name>
  }

  /** From the link to the first picture. */
  async toLive(): Promise<void> {
    this.service.setConsent(true)
    this.room.start()
    await this.state('camera')
    this.room.openCamera()
    await this.state('camera', ({ preview }) => preview !== undefined)
    this.room.begin()
    await this.sent(1)
  }

  /** Until so many stills are at the service, counted here too. */
  async sent(count: number): Promise<void> {
    await this.state('live', ({ sending }) => sending.progress.sent === count && sending.progress.waiting === 0)
  }

  async waiting(count: number): Promise<void> {
    await this.state('live', ({ sending }) => sending.progress.waiting === count)
  }

  #open(): Room {
    const gatherMs = () => this.gatherMs
    return new Room({
      sessionId,
      get gatherMs() {
        return gatherMs()
      },
      api: this.service,
      camera: this.camera,
      openQueue: () => this.queue(),
      time: this.time,
      lock: {
        take: (over, onElsewhere) => {
          this.taken = onElsewhere
          if (this.free || over) return Promise.resolve()
          onElsewhere()
          return new Promise((resolve) => {
            this.otherCloses = resolve
          })
        },
      },
      memory: this.memory,
      onOnline: (listener) => {
        this.networkBack = listener
      },
      stayAwake: () => {
        this.awake += 1
        return () => {
          this.awake -= 1
        }
      },
    })
  }
}
