import { nextFrame, smallPicture } from '@integrity/protocol/clients/camera'
import type { TimePort } from '@integrity/shared-ui/session/time-port'
import {
  type CameraDevice,
  CameraError,
  type CameraPort,
  type CameraProblem,
  type OpenCamera,
  type Picture,
} from '../session/room.types.ts'

/** Enough to see a room and the people in it; the browser takes the nearest the camera has. */
const wanted = { width: { ideal: 1280 }, height: { ideal: 720 } }
const quality = 0.7

const problems: Readonly<Record<string, CameraProblem>> = {
  NotAllowedError: 'denied',
  SecurityError: 'denied',
  NotFoundError: 'none',
  OverconstrainedError: 'none',
  NotReadableError: 'busy',
  AbortError: 'busy',
}

const cameraError = (error: unknown): CameraError =>
  new CameraError((error instanceof DOMException && problems[error.name]) || 'busy', error)

const openStream = async (devices: MediaDevices, deviceId: string | undefined): Promise<MediaStream> => {
  if (deviceId !== undefined) {
    try {
      return await devices.getUserMedia({ video: { ...wanted, deviceId: { exact: deviceId } }, audio: false })
    } catch (error) {
      // The camera of the last time is not there any more: any other one will do, and the page shows which.
      if (!['NotFoundError', 'OverconstrainedError'].includes((error as DOMException).name)) throw error
    }
  }
  return devices.getUserMedia({ video: wanted, audio: false })
}

type After = TimePort['after']

const differs = (a: Uint8ClampedArray, b: Uint8ClampedArray | undefined): boolean =>
  b === undefined || a.length !== b.length || a.some((value, index) => value !== b[index])

/** Takes pictures of a stream through a video element of its own, so that what the page shows does not matter. */
class StreamCamera implements OpenCamera {
  readonly device: CameraDevice
  readonly stream: MediaStream
  readonly #track: MediaStreamTrack
  readonly #after: After
  readonly #video: HTMLVideoElement
  readonly #canvas = document.createElement('canvas')
  #before: Uint8ClampedArray | undefined
  #lost = () => {}

  constructor(stream: MediaStream, track: MediaStreamTrack, after: After) {
    this.#after = after
    this.stream = stream
    this.#track = track
    this.device = { id: track.getSettings().deviceId ?? '', label: track.label }
    this.#video = Object.assign(document.createElement('video'), { muted: true, playsInline: true, srcObject: stream })
    void this.#video.play().catch(() => {})
    track.addEventListener('ended', () => this.#lost())
  }

  async take(): Promise<Picture | undefined> {
    // Muted: the track lives, but the camera gives nothing (its own switch, another program, sleep).
    if (this.#track.readyState !== 'live' || this.#track.muted || !(await nextFrame(this.#video, this.#after)))
      return undefined
    const { videoWidth: width, videoHeight: height } = this.#video
    if (width === 0 || height === 0) return undefined
    Object.assign(this.#canvas, { width, height })
    const context = this.#canvas.getContext('2d', { willReadFrequently: true })
    if (!context) throw new Error('this browser gives no canvas')
    context.drawImage(this.#video, 0, 0, width, height)
    const pixels = context.getImageData(0, 0, width, height).data
    const sameAsBefore = !differs(pixels, this.#before)
    this.#before = pixels
    const blob = await this.#encode()
    const contentType = blob.type === 'image/webp' ? 'image/webp' : 'image/jpeg'
    const small = await smallPicture(this.#canvas, { width, height })
    return { bytes: await blob.arrayBuffer(), contentType, width, height, sameAsBefore, ...(small && { small }) }
  }

  onLost(listener: () => void): void {
    this.#lost = listener
  }

  close(): void {
    this.#lost = () => {}
    this.#track.stop()
    this.#video.srcObject = null
  }

  /** WebP where the browser can write it; Safari answers PNG then, many times the size, so it is asked for JPEG. */
  async #encode(): Promise<Blob> {
    const webp = await this.#blob('image/webp')
    return webp.type === 'image/webp' ? webp : this.#blob('image/jpeg')
  }

  #blob(type: string): Promise<Blob> {
    return new Promise((resolve, reject) =>
      this.#canvas.toBlob(
        (blob) => (blob ? resolve(blob) : reject(new Error('the picture could not be encoded'))),
        type,
        quality,
      ),
    )
  }
}

/** The cameras of this computer (Media Capture and Streams). `mediaDevices` exists on https and localhost only. */
export const createBrowserCamera = (
  after: After,
  devices: MediaDevices | undefined = navigator.mediaDevices,
): CameraPort => ({
  supported: devices !== undefined,
  async open(deviceId) {
    if (!devices) throw new CameraError('none')
    try {
      const stream = await openStream(devices, deviceId)
      const [track] = stream.getVideoTracks()
      if (!track) throw new CameraError('none')
      return new StreamCamera(stream, track, after)
    } catch (error) {
      throw error instanceof CameraError ? error : cameraError(error)
    }
  },
  async list() {
    const found = (await devices?.enumerateDevices()) ?? []
    return found
      .filter(({ kind, deviceId }) => kind === 'videoinput' && deviceId !== '')
      .map(({ deviceId, label }) => ({ id: deviceId, label }))
  },
  onChange(listener) {
    devices?.addEventListener('devicechange', listener)
    return () => devices?.removeEventListener('devicechange', listener)
  },
})
