import { type CaptureConfig, DEFAULT_CAPTURE_CONFIG, DriverError, type LaneName } from '../../core/capture/types.ts'
import { type Clock, systemClock } from '../../shared/clock.ts'
import { lookAt } from './frame-requests.ts'
import type { InputDevice, StreamSource } from './messages.ts'
import type { PageLinks } from './page-links.ts'
import { openStream, type PageStream } from './page-stream.ts'
import { chooseCamera, chooseSound } from './source-choice.ts'
import { displaySource, wantedDisplays } from './web-displays.ts'
import { readInventory } from './web-probe.ts'
import { levelOf } from './web-sound.ts'

const PICTURE_MS = 500
const LEVEL_MS = 200
/** Longest side, in pixels. */
const PICTURE_SIDE = 320
const PICTURE_QUALITY = 60

/** A moment of what a lane sees or hears; nothing of it is kept. `varies`: the picture is not of one colour. */
export type WebPreview = { lane: LaneName; displayId?: string } & (
  | { jpeg: Buffer; varies: boolean }
  | { levelDb: number }
)

export type PreviewOptions = {
  links: PageLinks
  lane: LaneName
  config?: CaptureConfig
  /** Which display of the screen lane; absent: the first. */
  displayId?: string
  onPreview: (preview: WebPreview) => void
  clock?: Clock
  platform?: NodeJS.Platform
}

/** The devices of this machine as the browser names them; without permission the names are empty. */
export const listDevices = async (links: PageLinks): Promise<readonly InputDevice[]> =>
  (await readInventory(links)).devices

/** Tells when devices come or go, as long as this page lives and until the given function is called. Throws DriverError when there is no page. */
export const onDevicesChanged = async (links: PageLinks, listener: () => void): Promise<() => void> => {
  const link = await links.current()
  return link.onNews(({ news }) => {
    if (news === 'devices') listener()
  })
}

const sourceOf = async ({ links, lane, displayId, ...rest }: PreviewOptions): Promise<StreamSource> => {
  const { config = DEFAULT_CAPTURE_CONFIG, platform = process.platform } = rest
  if (lane === 'screen') {
    const displays = await wantedDisplays(links)
    const known = displayId === undefined || displays.has(displayId)
    if (!known || displays.size === 0) throw new DriverError('unplugged', `the display ${displayId ?? ''} is not there`)
    const display = displayId === undefined ? [...displays.values()][0] : displays.get(displayId)
    return displaySource(display, 1000 / PICTURE_MS)
  }
  const { devices } = await readInventory(links)
  if (lane !== 'camera') return chooseSound(lane, devices, config, platform)
  const { deviceId } = chooseCamera(devices, config)
  return { kind: 'camera', deviceId, framesPerSecond: 10 }
}

/** Undefined when no frame came. */
const nextPicture = async (stream: PageStream) => {
  const looked = await lookAt(stream)
  if (!looked) return undefined
  const wanted = { contentType: 'image/jpeg', quality: PICTURE_QUALITY, maxSide: PICTURE_SIDE } as const
  const { bytes } = await stream.request('picture', wanted)
  return { jpeg: bytes, varies: looked.varies }
}

/** Measured, or nothing when nothing was measured since the last time. */
const nextLevel = async (stream: PageStream) => {
  const { value } = await stream.confirm()
  return value.energy.samples > 0 ? { levelDb: levelOf(value.energy).levelDb } : undefined
}

/**
 * Shows a lane to the candidate until `signal` aborts: small JPEG pictures twice a second, or the level of the sound
 * five times a second. Records nothing. Throws DriverError when the source cannot be had or is lost.
 */
export const runPreview = async (options: PreviewOptions, signal: AbortSignal): Promise<void> => {
  const { links, lane, displayId, onPreview, clock = systemClock } = options
  const stream = await openStream(links, await sourceOf(options))
  const pictures = lane === 'screen' || lane === 'camera'
  try {
    while (!signal.aborted) {
      const began = clock.monotonicMs()
      if (pictures) await stream.confirm()
      const preview = pictures ? await nextPicture(stream) : await nextLevel(stream)
      if (signal.aborted) return
      if (preview) onPreview({ lane, ...(displayId === undefined ? {} : { displayId }), ...preview })
      const wait = (pictures ? PICTURE_MS : LEVEL_MS) - (clock.monotonicMs() - began)
      await clock.sleep(Math.max(0, wait), signal)
    }
  } finally {
    await stream.close()
  }
}
