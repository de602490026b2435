import { nextFrame, smallPicture } from '@integrity/protocol/clients/camera'
import { greyOf } from '../session/frame-checks.ts'
import {
  CameraError,
  type CameraPort,
  type CameraProblem,
  type OpenCamera,
  type RunningFilm,
} from '../session/session.ports.ts'
import type { Picture } from '../session/session.types.ts'
import { systemTime } from './system-time.ts'

/** The camera on the back of a phone; elsewhere the nearest there is. */
const wanted = { facingMode: { ideal: 'environment' }, width: { ideal: 1280 }, height: { ideal: 720 } }
/** The longer side in pixels. A preview is small: it is shown in a corner and goes over a phone's network. */
const longest = { photo: 1600, preview: 640, sample: 160 } as const
const quality = { photo: 0.85, preview: 0.6 } as const
/** What is lost at the most when the page dies. Milliseconds. */
const chunkMs = 2_000
/** A side view of a desk needs no more; half an hour is about 200 MB. */
const bitsPerSecond = 900_000
const films = ['video/webm;codecs=vp9', 'video/webm;codecs=vp8', 'video/webm', 'video/mp4'] as const

const problems: Readonly<Record<string, CameraProblem>> = {
  NotAllowedError: 'permission_denied',
  SecurityError: 'permission_denied',
  NotFoundError: 'camera_missing',
  OverconstrainedError: 'camera_missing',
}

export const cameraError = (error: unknown): CameraError =>
  new CameraError((error instanceof DOMException && problems[error.name]) || 'camera_busy', error)

class StreamCamera implements OpenCamera {
  readonly view: MediaStream
  readonly #track: MediaStreamTrack
  readonly #video: HTMLVideoElement
  readonly #canvas = document.createElement('canvas')
  #health: (health: 'ok' | 'muted' | 'ended') => void = () => {}

  constructor(stream: MediaStream, track: MediaStreamTrack) {
    this.view = stream
    this.#track = track
    this.#video = Object.assign(document.createElement('video'), { muted: true, playsInline: true, srcObject: stream })
    void this.#video.play().catch(() => undefined)
    track.addEventListener('ended', () => this.#health('ended'))
    // A call, or another app that took the camera: the track lives and gives nothing.
    track.addEventListener('mute', () => this.#health('muted'))
    track.addEventListener('unmute', () => this.#health('ok'))
  }

  async take(size: 'photo' | 'preview'): Promise<Picture | undefined> {
    if (!(await this.#draw(longest[size]))) return undefined
    const blob = await new Promise<Blob | null>((resolve) => {
      this.#canvas.toBlob(resolve, 'image/jpeg', quality[size])
    })
    return blob ? { bytes: await blob.arrayBuffer(), contentType: 'image/jpeg' } : undefined
  }

  async sample() {
    const context = await this.#draw(longest.sample)
    if (!context) return undefined
    const { width, height } = this.#canvas
    return greyOf(context.getImageData(0, 0, width, height).data, width, height)
  }

  async small() {
    const { videoWidth: width, videoHeight: height } = this.#video
    return width === 0 || height === 0 ? undefined : smallPicture(this.#video, { width, height })
  }

  film(onChunk: (bytes: ArrayBuffer) => void): RunningFilm | undefined {
    const mimeType = films.find((type) => globalThis.MediaRecorder?.isTypeSupported(type))
    if (mimeType === undefined || this.#track.readyState !== 'live') return undefined
    const recorder = new MediaRecorder(this.view, { mimeType, videoBitsPerSecond: bitsPerSecond })
    let chunks = Promise.resolve()
    recorder.addEventListener('dataavailable', ({ data }) => {
      if (data.size > 0) chunks = chunks.then(async () => onChunk(await data.arrayBuffer()))
    })
    // When the track ends the recorder stops by itself.
    const stopped = new Promise<void>((resolve) => {
      recorder.addEventListener('stop', () => resolve(), { once: true })
    })
    recorder.start(chunkMs)
    const stop = async () => {
      if (recorder.state !== 'inactive') recorder.stop()
      await stopped
      await chunks
    }
    return { contentType: mimeType.split(';')[0] ?? mimeType, stop }
  }

  onHealth(listener: (health: 'ok' | 'muted' | 'ended') => void): void {
    this.#health = listener
    if (this.#track.muted) listener('muted')
  }

  close(): void {
    this.#health = () => {}
    this.#track.stop()
    this.#video.srcObject = null
  }

  /** Draws a new frame, smaller where it is larger than asked for. */
  async #draw(side: number): Promise<CanvasRenderingContext2D | undefined> {
    if (this.#track.readyState !== 'live' || this.#track.muted || !(await nextFrame(this.#video, systemTime.after)))
      return undefined
    const { videoWidth, videoHeight } = this.#video
    if (videoWidth === 0 || videoHeight === 0) return undefined
    const scale = Math.min(1, side / Math.max(videoWidth, videoHeight))
    const size = { width: Math.round(videoWidth * scale), height: Math.round(videoHeight * scale) }
    Object.assign(this.#canvas, size)
    const context = this.#canvas.getContext('2d', { willReadFrequently: true })
    context?.drawImage(this.#video, 0, 0, size.width, size.height)
    return context ?? undefined
  }
}

/** The cameras of this browser (Media Capture and Streams). `mediaDevices` exists on https and localhost only. */
export const createWebCamera = (devices: MediaDevices | undefined): CameraPort => ({
  supported: devices !== undefined,
  async open() {
    if (!devices) throw new CameraError('camera_missing')
    try {
      const stream = await devices.getUserMedia({ video: wanted, audio: false })
      const [track] = stream.getVideoTracks()
      if (!track) throw new CameraError('camera_missing')
      return new StreamCamera(stream, track)
    } catch (error) {
      throw error instanceof CameraError ? error : cameraError(error)
    }
  },
})
