import type { CaptureConfig, Driver, ProbeResult } from '../../core/capture/types.ts'
import { type Clock, systemClock } from '../../shared/clock.ts'
import { requireFfmpeg } from '../ffmpeg/ffmpeg.ts'
import { openPulsePcm, probePulse } from './pulse-recorder.ts'
import { recordSound } from './sound-recorder.ts'
import { resolveSource } from './sound-source.ts'

const probeSystemAudio = async (config: CaptureConfig): Promise<ProbeResult> => {
  const ready = await requireFfmpeg({ encoders: ['libopus'] }, config.env)
  if (!ready.ok) return ready
  const source = await resolveSource('system_audio', config)
  return 'reason' in source ? { ok: false, ...source } : { ok: true }
}

/**
 * What the speakers play, from the monitor of the default sink (or the source the config names), through the sound
 * server's own socket. Never the microphone.
 */
export const createPulseSystemAudioDriver = (clock: Clock = systemClock): Driver => ({
  name: 'pulse-system-audio',
  probe: async (config) => {
    const ready = await probePulse(config.env)
    return ready.ok ? probeSystemAudio(config) : ready
  },
  start: (sink, config, signal) => recordSound('system_audio', openPulsePcm, sink, config, signal, clock),
})
