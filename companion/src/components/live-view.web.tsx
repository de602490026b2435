import { useEffect, useRef } from 'react'
import type { OpenCamera } from '../session/session.ports.ts'

interface Props {
  readonly camera: OpenCamera
  readonly label: string
}

/** What the camera sees, as it sees it. */
export const LiveView = ({ camera, label }: Props) => {
  const ref = useRef<HTMLVideoElement>(null)
  useEffect(() => {
    const video = ref.current
    if (!video) return
    video.srcObject = camera.view as MediaStream
    // A page that is hidden at this moment plays as soon as it is seen.
    void video.play().catch(() => undefined)
    return () => {
      video.srcObject = null
    }
  }, [camera])
  return (
    <video
      ref={ref}
      aria-label={label}
      autoPlay
      muted
      playsInline
      style={{ width: '100%', height: '100%', objectFit: 'cover' }}
    />
  )
}
