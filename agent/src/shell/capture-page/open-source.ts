import { noSound, type StreamSource } from '../../machine/page/messages.ts'
import { Refusal } from './refusal.ts'

/** Sound as it is. Filters change what is evidence, and one lane's filter was seen to quieten another lane's source. */
const asItIs = { echoCancellation: false, noiseSuppression: false, autoGainControl: false } as const

/** Not in the library's types yet (Screen Capture, 5.3). */
type DisplayOptions = DisplayMediaStreamOptions & { systemAudio?: 'include' | 'exclude' }

const openDisplay = async (source: Extract<StreamSource, { kind: 'display' }>): Promise<MediaStream> => {
  const { width, height, framesPerSecond } = source
  const size = width && height ? { width: { ideal: width }, height: { ideal: height } } : {}
  return navigator.mediaDevices.getDisplayMedia({
    video: { ...size, frameRate: { max: framesPerSecond } },
    audio: false,
  })
}

/** A display's stream cannot be had without its picture, which is let go of at once. */
const openLoopback = async (): Promise<MediaStream> => {
  const options: DisplayOptions = { video: { frameRate: { max: 1 } }, audio: asItIs, systemAudio: 'include' }
  const stream = await navigator.mediaDevices.getDisplayMedia(options)
  const sound = stream.getAudioTracks()
  for (const track of stream.getVideoTracks()) {
    track.stop()
    stream.removeTrack(track)
  }
  if (sound.length === 0) throw new Refusal(noSound, 'the display was given without the sound of the computer')
  return stream
}

/** Opens a source, alone: sound of two lanes never shares a stream. Throws what the browser throws. */
export const openSource = (source: StreamSource): Promise<MediaStream> => {
  switch (source.kind) {
    case 'display':
      return openDisplay(source)
    case 'loopback':
      return openLoopback()
    case 'camera': {
      const video = { deviceId: { exact: source.deviceId }, frameRate: { ideal: source.framesPerSecond } }
      return navigator.mediaDevices.getUserMedia({ video, audio: false })
    }
    case 'sound': {
      const audio = { deviceId: { exact: source.deviceId }, ...asItIs, channelCount: { ideal: 1 } }
      return navigator.mediaDevices.getUserMedia({ audio, video: false })
    }
  }
}
