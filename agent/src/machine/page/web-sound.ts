import { decibels, levelByte } from '../../core/capture/pcm.ts'
import type { CaptureConfig, Driver, SoundLane } from '../../core/capture/types.ts'
import { type Clock, systemClock } from '../../shared/clock.ts'
import { withEndDeadline } from './end-deadline.ts'
import type { Energy } from './messages.ts'
import type { PageLinks } from './page-links.ts'
import { openStream } from './page-stream.ts'
import { soundRecorders } from './recorders.ts'
import { chooseSound } from './source-choice.ts'
import { bareType, notDenied, probing, readInventory, recorderFor } from './web-probe.ts'
import { createRecording } from './web-recording.ts'

const kindOf = { microphone: 'audio_chunk', system_audio: 'system_audio_chunk' } as const
/** The first samples come soon, so that the lane's light is on as soon as it records. */
const confirmEveryMs = 1000

const levelOf = ({ squares, peak, samples }: Energy) => ({
  levelDb: decibels(samples === 0 ? 0 : Math.sqrt(squares / samples)),
  peakDb: decibels(peak),
})

const levelsOf = ({ tenths }: Energy): { levels?: Buffer } =>
  tenths ? { levels: Buffer.from(tenths.map((square) => levelByte(Math.sqrt(square)))) } : {}

const choose = async (lane: SoundLane, links: PageLinks, config: CaptureConfig, platform: NodeJS.Platform) => {
  const inventory = await readInventory(links)
  const recorder = recorderFor(inventory, soundRecorders)
  // A browser hides from those without permission what there is, so permission is looked at first.
  if (lane === 'microphone') notDenied(inventory, 'microphone')
  const source = await chooseSound(lane, inventory.devices, config, platform)
  return { source, recorder }
}

const createWebSoundDriver = (
  lane: SoundLane,
  name: string,
  links: PageLinks,
  clock: Clock,
  platform: NodeJS.Platform,
): Driver => ({
  name,
  probe: (config) => probing(() => choose(lane, links, config, platform)),
  start: async (sink, config, signal) => {
    const { chunkSeconds, bitrateKbps } = lane === 'microphone' ? config.microphone : config.systemAudio
    const { onSound, soundWanted = () => true } = config
    const { source, recorder } = await choose(lane, links, config, platform)
    const stream = await openStream(links, source)
    const { codec, contentType } = recorder
    const recording = createRecording({
      stream,
      sink,
      clock,
      confirmMs: confirmEveryMs,
      segments: { seconds: chunkSeconds, contentType, bitsPerSecond: bitrateKbps * 1000 },
      describe: ({ energy }) => ({
        kind: kindOf[lane],
        lane,
        contentType: bareType(contentType),
        ...levelsOf(energy),
        meta: { codec, sampleRate: stream.opened.sampleRate, channels: 1, ...levelOf(energy) },
      }),
      onConfirmed: ({ at, energy }) => {
        // Silence is a measurement too; only sound that was not measured is not.
        if (energy.samples > 0)
          sink.sample({ at: stream.link.clock.toLocal(at, clock).at, levelDb: levelOf(energy).levelDb })
      },
      ...(onSound ? { listener: { wanted: soundWanted, hear: (sound) => onSound({ lane, ...sound }) } } : {}),
    })
    try {
      await recording.run(signal)
    } finally {
      await recording.finish()
    }
  },
})

/** The microphone by `getUserMedia` and `MediaRecorder`, unchanged by any echo, noise or gain filter. */
export const createWebMicrophoneDriver = (
  links: PageLinks,
  clock: Clock = systemClock,
  platform: NodeJS.Platform = process.platform,
): Driver => withEndDeadline(createWebSoundDriver('microphone', 'web-microphone', links, clock, platform), clock)

/**
 * What the speakers play: a device that repeats it, or the sound of a display's stream (`loopback`). The loopback of a
 * display was tried with the sound of a browser's tab only: Debian's Chromium gives none for a whole display, and
 * macOS and Windows were not run.
 */
export const createWebSystemAudioDriver = (
  links: PageLinks,
  clock: Clock = systemClock,
  platform: NodeJS.Platform = process.platform,
): Driver => withEndDeadline(createWebSoundDriver('system_audio', 'web-system-audio', links, clock, platform), clock)
