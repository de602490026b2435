import type { CameraProblem } from '../session/session.ports.ts'
import { cameraError } from './camera.web.ts'

/** Shape Detection API (WICG); in Chrome on Android and macOS, not in Safari and Firefox. */
interface Detector {
  detect(source: HTMLVideoElement): Promise<readonly { readonly rawValue: string }[]>
}
type DetectorClass = new (options: { formats: string[] }) => Detector

/** The text of a square code in the picture, if one is seen. */
type Look = (video: HTMLVideoElement) => Promise<string | undefined>

const browsersOwn = (): Look | undefined => {
  const Found = (globalThis as { BarcodeDetector?: DetectorClass }).BarcodeDetector
  try {
    const detector = Found && new Found({ formats: ['qr_code'] })
    return detector && (async (video) => (await detector.detect(video))[0]?.rawValue)
  } catch {
    // It is there and knows no square codes.
    return undefined
  }
}

/** Pixels of the longer side: a code that fills a fifth of the picture is still four pixels a square. */
const longest = 960

/** Loaded when the browser has nothing of its own: 20 kB that the first page does without. */
const carried = async (): Promise<Look> => {
  const { decodeQR } = await import('qr/decode.js')
  const canvas = document.createElement('canvas')
  return async (video) => {
    const { videoWidth, videoHeight } = video
    const scale = Math.min(1, longest / Math.max(videoWidth, videoHeight))
    const size = { width: Math.round(videoWidth * scale), height: Math.round(videoHeight * scale) }
    Object.assign(canvas, size)
    const context = canvas.getContext('2d', { willReadFrequently: true })
    if (!context || size.width === 0) return undefined
    context.drawImage(video, 0, 0, size.width, size.height)
    try {
      return decodeQR({ ...size, data: context.getImageData(0, 0, size.width, size.height).data })
    } catch {
      // It throws where there is no code, as in nearly every picture.
      return undefined
    }
  }
}

/** A browser's own detector may be there and fail each time: some need a part of the system that is not installed. */
const either = async (): Promise<Look> => {
  const own = browsersOwn()
  if (!own) return carried()
  let other: Look | undefined
  return async (video) => {
    if (other) return other(video)
    try {
      return await own(video)
    } catch {
      other = await carried()
      return other(video)
    }
  }
}

const lookMs = 250

export interface ScanEvents {
  readonly onFound: (text: string) => void
  /** `no_decoder`: what reads the picture was not loaded. */
  readonly onProblem: (problem: CameraProblem | 'no_decoder') => void
}

export const canScanCodes = (): boolean => navigator.mediaDevices !== undefined

/** Shows the camera and reads the first square code in it. Answers how to stop. */
export const scanCodes = (video: HTMLVideoElement, { onFound, onProblem }: ScanEvents): (() => void) => {
  let stream: MediaStream | undefined
  let ended = false
  const stop = () => {
    ended = true
    for (const track of stream?.getTracks() ?? []) track.stop()
  }
  const fail = (problem: CameraProblem | 'no_decoder') => {
    if (ended) return
    stop()
    onProblem(problem)
  }
  const again = async (look: Look): Promise<void> => {
    if (ended) return
    const text = video.readyState >= video.HAVE_CURRENT_DATA ? await look(video) : undefined
    if (ended) return
    if (text !== undefined) return onFound(text)
    setTimeout(() => void again(look).catch(() => fail('no_decoder')), lookMs)
  }
  const begin = async (): Promise<void> => {
    stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment' }, audio: false })
    if (ended) return stop()
    video.srcObject = stream
    await video.play().catch(() => undefined)
  }
  begin().then(
    () =>
      either()
        .then(again)
        .catch(() => fail('no_decoder')),
    (error: unknown) => fail(cameraError(error).problem),
  )
  return stop
}
