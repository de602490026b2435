import { Camera, type CameraView } from 'expo-camera'
import { CameraError, type CameraPort, type OpenCamera } from '../session/session.ports.ts'
import type { Picture } from '../session/session.types.ts'
import { decodeBase64 } from './base64.ts'

/** A prompt of the system that nobody answers. Milliseconds. */
const patienceMs = 60_000
const quality = { photo: 0.85, preview: 0.3 } as const

/**
 * On a phone the view is the camera: it exists while `LiveView` is on the screen, and hands itself over here. Films are
 * not made: expo-camera either photographs or films, and the previews need the former; the candidate is told so, and so
 * is the service, by beats that say "off". Compiled and bundled, never run on a device.
 */
export class NativeCamera implements OpenCamera {
  readonly view = undefined
  #ready: CameraView | undefined
  #health: (health: 'ok' | 'muted' | 'ended') => void = () => {}

  /** The view is on the screen and shows the camera; `undefined`: it has gone. */
  attach(view: CameraView | undefined): void {
    this.#ready = view
    if (view) this.#health('ok')
  }
  /** The view could not show the camera: another app has it. */
  fail(): void {
    this.#health('muted')
  }

  async take(size: 'photo' | 'preview'): Promise<Picture | undefined> {
    const taken = await this.#ready?.takePictureAsync({ base64: true, quality: quality[size], shutterSound: false })
    if (!taken?.base64) return undefined
    return { bytes: decodeBase64(taken.base64), contentType: 'image/jpeg' }
  }
  /** The view does not give its pixels. */
  async sample(): Promise<undefined> {
    return undefined
  }
  async small(): Promise<undefined> {
    return undefined
  }
  film(): undefined {
    return undefined
  }
  onHealth(listener: (health: 'ok' | 'muted' | 'ended') => void): void {
    this.#health = listener
  }
  close(): void {
    this.#health = () => {}
    this.#ready = undefined
  }
}

export const createNativeCamera = (): CameraPort => ({
  supported: true,
  async open() {
    const asked = await withPatience(Camera.requestCameraPermissionsAsync())
    if (!asked.granted) throw new CameraError('permission_denied')
    return new NativeCamera()
  },
})

/** A prompt that the system never answers must not hold the app up forever. */
const withPatience = <T>(promise: Promise<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new CameraError('camera_busy')), patienceMs)
    promise.then(resolve, reject).finally(() => clearTimeout(timer))
  })
