import { laneEnabled, type SessionConfig } from '@integrity/protocol'
import type { Needs, Reads } from '../../../kernel/call.ts'
import { askedOf } from '../../interviews/sessions/joining/window.service.ts'
import type { SessionRow } from '../../interviews/sessions/sessions.types.ts'

/** What is recorded of whoever speaks with the candidate. */
export interface RecordedOfInterviewers {
  readonly voice: boolean
  readonly words: boolean
  readonly retentionDays: number
}

const recordedBy = (config: SessionConfig): RecordedOfInterviewers => ({
  voice: laneEnabled(config, 'system_audio'),
  words: laneEnabled(config, 'transcript') && !config.audio.candidateOnly,
  retentionDays: config.retentionDays,
})

/** By the policy in force, with the window in force. */
export const recordedOf = async (
  call: Reads & Needs<'clock' | 'config'>,
  session: Pick<SessionRow, 'id' | 'config'>,
): Promise<RecordedOfInterviewers> => recordedBy(await askedOf(call, session))
