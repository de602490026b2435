import { always, everySeconds, type HowOften, sideViewOften } from '@integrity/protocol/clients/how-often'
import type { WindowText } from '../texts/window.ts'
import type { ConsentView, LaneName } from './consent-answers.ts'

type Config = ConsentView['config']
/** A text and the numbers that belong into it. */
export interface Sentence {
  readonly key: WindowText
  readonly n?: number
}

/** How often a lane records, from the policy that the document was made of. */
export const howOften = (lane: LaneName, { capture, audio, camera, sideView }: Config): readonly Sentence[] => {
  const stills = (n: number): Sentence => (n === 1 ? { key: 'often.everySecond' } : { key: 'often.every', n })
  switch (lane) {
    case 'screen': {
      const picture: Sentence =
        capture.screenshotIntervalSeconds === 1
          ? { key: 'often.everySecond' }
          : { key: 'often.onChange', n: capture.screenshotIntervalSeconds }
      return capture.recording ? [picture, { key: 'often.film' }] : [picture]
    }
    case 'microphone':
    case 'system_audio':
      return [{ key: 'often.sound', n: audio.chunkSeconds }]
    case 'transcript':
      return [{ key: 'often.words' }]
    case 'camera':
      if (!camera.stills) return [{ key: 'often.onlyClips', n: camera.clipSeconds }]
      return camera.clips
        ? [stills(camera.stillIntervalSeconds), { key: 'often.clips', n: camera.clipSeconds }]
        : [stills(camera.stillIntervalSeconds)]
    case 'room_camera':
      return [stills(camera.stillIntervalSeconds)]
    case 'side_view':
      return [stills(sideView.previewIntervalSeconds)]
    case 'signals':
      return [{ key: 'often.events' }]
  }
}

const cameraOften = ({ stills, clips, stillIntervalSeconds: n }: Config['camera']): HowOften => {
  if (!stills) return { key: 'brief.clips', n: 0 }
  return clips ? { key: 'brief.secondsAndClips', n } : everySeconds(n)
}

/** The same in the few words that a table has room for. */
export const brieflyHowOften = (lane: LaneName, { capture, camera, sideView }: Config): HowOften => {
  switch (lane) {
    case 'screen':
      return capture.recording ? always : everySeconds(capture.screenshotIntervalSeconds)
    case 'camera':
      return cameraOften(camera)
    case 'room_camera':
      return everySeconds(camera.stillIntervalSeconds)
    case 'side_view':
      return sideViewOften(sideView)
    case 'signals':
      return { key: 'brief.changes', n: 0 }
    default:
      return always
  }
}

/** What a lane lets one try: pictures, a level, or nothing. */
export const previewOf = (lane: LaneName): 'displays' | 'picture' | 'level' | 'none' => {
  if (lane === 'screen') return 'displays'
  if (lane === 'camera') return 'picture'
  return lane === 'microphone' || lane === 'system_audio' ? 'level' : 'none'
}

/** A word for a level, dBFS. Speech at arm's length measures about −45 to −12. */
export const levelWord = (levelDb: number): 'none' | 'quiet' | 'good' | 'loud' => {
  if (levelDb <= -70) return 'none'
  if (levelDb < -45) return 'quiet'
  return levelDb > -6 ? 'loud' : 'good'
}
