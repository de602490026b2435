import { Picture } from '@integrity/shared-ui/web/picture'
import { useEffect, useRef, useState } from 'react'
import type { Still } from '../session/room.types.ts'

/** The live picture of a camera. */
export const CameraPicture = ({ stream, label }: { readonly stream: unknown; readonly label: string }) => {
  const video = useRef<HTMLVideoElement>(null)
  useEffect(() => {
    const element = video.current
    if (!element || !(stream instanceof MediaStream)) return undefined
    element.srcObject = stream
    return () => {
      element.srcObject = null
    }
  }, [stream])
  return <video ref={video} className="picture" autoPlay muted playsInline aria-label={label} />
}

/** A picture exactly as it was sent. */
export const StillPicture = ({ still, alt }: { readonly still: Still; readonly alt: string }) => {
  const [url, setUrl] = useState<string>()
  useEffect(() => {
    const made = URL.createObjectURL(new Blob([still.bytes], { type: still.contentType }))
    setUrl(made)
    return () => URL.revokeObjectURL(made)
  }, [still])
  return <Picture src={url} alt={alt} width={still.width} height={still.height} />
}
