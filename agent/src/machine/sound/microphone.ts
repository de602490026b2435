import recorder from 'node-record-lpcm16'
import { sampleRate } from '../../core/capture/pcm.ts'
import type { CaptureConfig, Driver } from '../../core/capture/types.ts'
import { type Environment, findProgram, stopChild } from '../../shared/child-process.ts'
import { type Clock, systemClock } from '../../shared/clock.ts'
import { requireFfmpeg } from '../ffmpeg/ffmpeg.ts'
import { recordingOfProcess } from './process-recording.ts'
import { openPulsePcm, probePulse } from './pulse-recorder.ts'
import { type OpenPcm, recordSound } from './sound-recorder.ts'
import { resolveSource } from './sound-source.ts'

const soundVariables = ['PULSE_SERVER', 'XDG_RUNTIME_DIR', 'PULSE_COOKIE', 'PATH', 'HOME'] as const

/** The recorder package hands the process's own environment to its child: lends it ours while it spawns. */
const withEnvironment = <T>(env: Environment, work: () => T): T => {
  const before = { ...process.env }
  Object.assign(process.env, Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined)))
  try {
    return work()
  } finally {
    for (const name of Object.keys(env)) {
      if (before[name] === undefined) delete process.env[name]
      else process.env[name] = before[name]
    }
  }
}

const openSox: OpenPcm = (source, config) => {
  const given = config.env ?? process.env
  const env: Environment = { AUDIODRIVER: 'pulseaudio', PULSE_LATENCY_MSEC: '50' }
  for (const name of soundVariables) if (given[name] !== undefined) env[name] = given[name]
  const options = {
    recorder: 'sox',
    sampleRate: sampleRate,
    channels: 1,
    audioType: 'raw',
    device: source.name,
  } as const
  const recording = withEnvironment(env, () => recorder.record(options))
  const child = recording.process
  const stdout = recording.stream()
  // It emits `error` on the stream for any exit but 0, and nothing listens to the child's own (sox missing).
  stdout.on('error', () => undefined)
  let stderr = ''
  child.stderr?.on('data', (bytes: Buffer) => {
    stderr = (stderr + bytes.toString()).slice(-500)
  })
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message))
    child.once('close', (code, signal) => resolve(`sox ended (${code ?? signal}) ${stderr.trim()}`))
  })
  return recordingOfProcess({ pid: child.pid ?? 0, stdout, ended, stop: () => stopChild(child) }, source, config.env)
}

const probeMicrophone = async (config: CaptureConfig) => {
  const ready = await requireFfmpeg({ encoders: ['libopus'] }, config.env)
  if (!ready.ok) return ready
  const source = await resolveSource('microphone', config)
  return 'reason' in source ? { ok: false as const, ...source } : { ok: true as const }
}

/** The microphone through the sound server's own socket, without a program between. */
export const createPulseMicrophoneDriver = (clock: Clock = systemClock): Driver => ({
  name: 'pulse-microphone',
  probe: async (config) => {
    const ready = await probePulse(config.env)
    return ready.ok ? probeMicrophone(config) : ready
  },
  start: (sink, config, signal) => recordSound('microphone', openPulsePcm, sink, config, signal, clock),
})

/** The microphone by node-record-lpcm16 (sox). */
export const createSoxMicrophoneDriver = (clock: Clock = systemClock): Driver => ({
  name: 'node-record-lpcm16',
  probe: async (config) => {
    if (!findProgram('sox', config.env)) return { ok: false, reason: 'not_observable', detail: 'sox was not found' }
    return probeMicrophone(config)
  },
  start: (sink, config, signal) => recordSound('microphone', openSox, sink, config, signal, clock),
})
