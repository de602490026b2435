import { phoneColours, phoneSizes } from '@integrity/protocol/clients/tokens'
import { useEffect, useRef } from 'react'

/** Shape Detection API (WICG); in Chrome on Android and macOS, not in Safari, where the phone's own camera opens the link. */
interface Detector {
  detect(source: HTMLVideoElement): Promise<readonly { readonly rawValue: string }[]>
}
type DetectorClass = new (options: { formats: string[] }) => Detector

const detectorClass = (): DetectorClass | undefined =>
  (globalThis as { BarcodeDetector?: DetectorClass }).BarcodeDetector

export const canScan = (): boolean => detectorClass() !== undefined && navigator.mediaDevices !== undefined

const lookMs = 250

/** Calls `onFound` with the text of the first square code in the picture. Returns how to stop. */
const scan = (video: HTMLVideoElement, detector: Detector, onFound: (text: string) => void): (() => void) => {
  let stream: MediaStream | undefined
  let ended = false
  const look = async (): Promise<void> => {
    if (ended) return
    const [found] = video.readyState >= 2 ? await detector.detect(video) : []
    if (ended) return
    if (found) return onFound(found.rawValue)
    setTimeout(() => void look().catch(() => undefined), lookMs)
  }
  const begin = async (): Promise<void> => {
    stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment' }, audio: false })
    if (ended) return stop()
    video.srcObject = stream
    await video.play()
    await look()
  }
  const stop = () => {
    ended = true
    for (const track of stream?.getTracks() ?? []) track.stop()
  }
  // Without a camera the picture stays dark, and the code can still be typed.
  begin().catch(() => undefined)
  return stop
}

const frame = {
  width: '100%',
  aspectRatio: '4 / 3',
  objectFit: 'cover',
  borderRadius: phoneSizes.radiusL,
  background: phoneColours.picture[0],
} as const

interface Props {
  readonly label: string
  readonly onFound: (text: string) => void
}

export const CodeScanner = ({ label, onFound }: Props) => {
  const ref = useRef<HTMLVideoElement>(null)
  const found = useRef(onFound)
  useEffect(() => {
    found.current = onFound
  })
  useEffect(() => {
    const Detector = detectorClass()
    const video = ref.current
    if (!Detector || !video) return undefined
    return scan(video, new Detector({ formats: ['qr_code'] }), (text) => found.current(text))
  }, [])
  return <video ref={ref} aria-label={label} muted playsInline style={frame} />
}
