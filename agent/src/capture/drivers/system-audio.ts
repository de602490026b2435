import { type Clock, systemClock } from '../../shared/clock.ts'
import { requireFfmpeg } from '../ffmpeg.ts'
import type { Driver } from '../types.ts'
import { openFfmpegPcm } from './ffmpeg-sound.ts'
import { recordSound } from './sound-recorder.ts'
import { resolveSource } from './sound-source.ts'

/** What the speakers play, from the monitor of the default sink (or the source the config names). Never the microphone. */
export const createSystemAudioDriver = (clock: Clock = systemClock): Driver => ({
  name: 'ffmpeg-pulse-system-audio',
  probe: async (config) => {
    const ready = await requireFfmpeg({ devices: ['pulse'], encoders: ['libopus'] }, config.env)
    if (!ready.ok) return ready
    const source = await resolveSource('system_audio', config)
    return 'reason' in source ? { ok: false, ...source } : { ok: true }
  },
  start: (sink, config, signal) => recordSound('system_audio', openFfmpegPcm, sink, config, signal, clock),
})
