import { CameraView } from 'expo-camera'
import { useEffect, useRef } from 'react'
import { NativeCamera } from '../platform/native-camera.ts'
import type { OpenCamera } from '../session/session.ports.ts'

interface Props {
  readonly camera: OpenCamera
  readonly label: string
}

/** What the camera sees. On a phone this view is the camera. */
export const LiveView = ({ camera, label }: Props) => {
  const ref = useRef<CameraView>(null)
  const native = camera instanceof NativeCamera ? camera : undefined
  useEffect(() => () => native?.attach(undefined), [native])
  return (
    <CameraView
      ref={ref}
      accessibilityLabel={label}
      facing="back"
      // A preview may have half a megabyte, and a photo of the whole sensor has ten times that.
      pictureSize="1280x720"
      mute
      animateShutter={false}
      style={{ flex: 1 }}
      onCameraReady={() => native?.attach(ref.current ?? undefined)}
      onMountError={() => native?.fail()}
    />
  )
}
