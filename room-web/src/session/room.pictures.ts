import type { IntegrityError } from '@integrity/client/errors'
import { CameraStep } from './camera.step.ts'
import type { RoomPorts } from './room.ports.ts'
import { Recording } from './room.recording.ts'
import { Sender } from './room.sender.ts'
import type { CameraDevice, OpenCamera, Still } from './room.types.ts'
import type { StillsQueue } from './stills.queue.ts'
import type { CameraHealth } from './stills.recorder.ts'

export interface PicturesListener {
  /** What the choice of a camera shows is different. */
  readonly onCamera: () => void
  /** What became of the pictures is different. */
  readonly onSending: () => void
  /** A camera that had gone is back and open again. */
  readonly onReturned: () => void
  readonly onHealth: (health: CameraHealth) => void
  /** The camera went away by itself; nothing is taken any more. */
  readonly onLost: () => void
  /** The service has refused pictures. */
  readonly onProblem: (problem: IntegrityError, stills: readonly Still[]) => void
}

/** The camera, what takes pictures with it, and what sends them: from the consent to the release. */
export class Pictures {
  readonly camera: CameraStep
  readonly #ports: RoomPorts
  readonly #listener: PicturesListener
  #sender: Sender | undefined
  #recording: Recording | undefined

  constructor(ports: RoomPorts, listener: PicturesListener) {
    this.#ports = ports
    this.#listener = listener
    this.camera = new CameraStep(ports.camera, listener.onCamera, listener.onReturned)
  }

  get sender(): Sender | undefined {
    return this.#sender
  }

  startSending(queue: StillsQueue): void {
    this.#sender = new Sender(this.#ports, queue, this.#listener.onSending, this.#listener.onProblem)
  }

  /** Takes pictures from here on. */
  record(opened: OpenCamera, sender: Sender, intervalSeconds: number): void {
    const lost = (device: CameraDevice) => {
      this.#recordingOff()
      this.#listener.onLost()
      void this.camera.lost(device)
    }
    this.#recording = new Recording(this.#ports, opened, sender, {
      intervalSeconds,
      onHealth: this.#listener.onHealth,
      onLost: () => lost(opened.device),
    })
  }

  changeInterval(seconds: number): void {
    this.#recording?.changeInterval(seconds)
  }

  /** The camera is off; what waits is still sent. */
  stop(): void {
    this.#recordingOff()
    this.camera.close()
  }

  /** Everything off. */
  off(): void {
    this.stop()
    this.#sender?.stop()
    this.#sender = undefined
  }

  #recordingOff(): void {
    this.#recording?.stop()
    this.#recording = undefined
  }
}
