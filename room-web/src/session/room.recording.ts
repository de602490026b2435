import type { RoomPorts } from './room.ports.ts'
import type { Sender } from './room.sender.ts'
import type { OpenCamera } from './room.types.ts'
import { type CameraHealth, Recorder } from './stills.recorder.ts'

interface Listener {
  readonly onHealth: (health: CameraHealth) => void
  /** The camera went away by itself; nothing is taken any more. */
  readonly onLost: () => void
}

/** A camera that pictures are taken with. The screen stays awake until it stops. */
export class Recording {
  readonly #recorder: Recorder
  readonly #camera: OpenCamera
  readonly #sleepAgain: () => void

  constructor(
    { time, sessionId, stayAwake }: RoomPorts,
    camera: OpenCamera,
    sender: Sender,
    { onHealth, onLost, intervalSeconds }: Listener & { readonly intervalSeconds: number },
  ) {
    this.#camera = camera
    this.#recorder = new Recorder(
      {
        camera,
        queue: sender.queue,
        time,
        sessionId,
        onHealth,
        onTaken: () => sender.added(),
        onBroken: () => sender.broken(),
      },
      intervalSeconds,
    )
    this.#sleepAgain = stayAwake()
    camera.onLost(onLost)
  }

  changeInterval(seconds: number): void {
    this.#recorder.changeInterval(seconds)
  }

  stop(): void {
    this.#recorder.stop()
    this.#camera.close()
    this.#sleepAgain()
  }
}
