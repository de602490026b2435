import type { CaptureConfig } from '../../core/capture/types.ts'
import type { CapturePort } from '../../core/session/ports.ts'
import { RecordKeeper } from '../../core/session/record-keeper.ts'
import type { Spool } from '../../core/spool/spool.ts'
import { createTranscriptLane } from '../../core/transcript/transcript-lane.ts'
import type { Environment } from '../../shared/child-process.ts'
import type { Clock } from '../../shared/clock.ts'
import { chooseEngine } from '../speech/choose-engine.ts'
import type { LaunchSherpa } from '../speech/sherpa.ts'
import type { Sources } from './capture-config.ts'
import type { createLanes } from './create-lanes.ts'
import { MachineCapture } from './machine-capture.ts'

export interface MachineCaptureParts {
  readonly sources: Sources | (() => Sources)
  readonly clock: Clock
  readonly spool: Spool
  readonly onTrouble: (trouble: string) => void
  readonly create?: typeof createLanes | undefined
  /** The folder of a speech model; without one a transcript is not observable. */
  readonly speechModel?: string | undefined
  readonly env?: Environment | undefined
  readonly launchSpeech?: LaunchSherpa | undefined
  readonly onCameraLook?: CaptureConfig['onCameraLook'] | undefined
}

/** Everything this machine records: the lanes, and the transcript that listens to their sound. */
export const createMachineCapture = (parts: MachineCaptureParts): CapturePort => {
  const { sources, clock, spool, onTrouble, create, speechModel, env, launchSpeech, onCameraLook } = parts
  const transcript = createTranscriptLane({
    store: spool.transcript,
    clock,
    onTrouble,
    sessionStartedAt: async () => (await RecordKeeper.saved(spool))?.registeredAt,
    choose: () => chooseEngine(speechModel, env, launchSpeech),
  })
  return new MachineCapture({ sources, clock, onTrouble, transcript, onCameraLook, ...(create ? { create } : {}) })
}
