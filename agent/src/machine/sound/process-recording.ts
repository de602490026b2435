import type { Readable } from 'node:stream'
import type { CaptureConfig } from '../../core/capture/types.ts'
import { watchSourceChanges } from '../pulse/source-changes.ts'
import type { PulseSource } from '../pulse/sources.ts'
import type { PcmRecording } from './sound-recorder.ts'
import { SourceGuard } from './sound-source.ts'

/** How often the identity of the source is confirmed. Sound newer than the last confirmation is held back. */
const confirmEveryMs = 2000
/** The same while the sound server tells of changes, each of which is followed by a check of its own. */
const watchedConfirmMs = 7000

/** A program that records a source and writes PCM (16 kHz mono, 16 bit). */
export interface PcmProcess {
  pid: number
  stdout: Readable
  /** Resolves with the reason when it ends, also when it could not start. */
  ended: Promise<string>
  stop(): Promise<void>
}

/** A program as a recording whose source is watched from outside, as the sound server may move it without its noticing. */
export const recordingOfProcess = (
  process: PcmProcess,
  source: PulseSource,
  env: CaptureConfig['env'],
): PcmRecording => {
  const guard = new SourceGuard(source, process.pid, env)
  const changes = watchSourceChanges(env)
  return {
    listen: (take) => void process.stdout.on('data', take),
    check: () => guard.check(),
    answersInOrder: false,
    checkMs: () => (changes.alive() ? watchedConfirmMs : confirmEveryMs),
    changed: () => changes.next(),
    ended: process.ended,
    stop: async () => {
      await Promise.all([process.stop(), changes.stop()])
    },
  }
}
