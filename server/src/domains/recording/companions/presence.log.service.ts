import type { Reads } from '../../../kernel/call.ts'
import { listBeats, listPhones } from './companions.store.ts'
import type { RecordingState } from './presence.model.ts'

/** One phone of a session and what it said of itself, oldest first. Times are epoch milliseconds. */
export interface PhonePresence {
  readonly pairedAt: number
  /** When it was let go. */
  readonly endedAt: number | null
  readonly beats: readonly {
    readonly at: number
    readonly recording: RecordingState
    /** Why it is interrupted, in one word of the phone. */
    readonly reason: string | null
    readonly orientation: string | null
  }[]
}

interface Said {
  readonly recording: RecordingState
  readonly reason?: string | null
  readonly orientation?: string | null
}

/** All phones of a session, in the order of their pairing. The caller has found the session in this scope. */
export const readPresence = async (call: Reads, sessionId: string): Promise<PhonePresence[]> => {
  const { reader, scope } = call
  const phones = await listPhones(reader, scope, sessionId)
  if (phones.length === 0) return []
  const beats = await listBeats(reader, scope, sessionId)
  return phones.map(({ id, pairedAt, endedAt }) => ({
    pairedAt,
    endedAt,
    beats: beats.flatMap(({ companionId, at, beat }) => {
      if (companionId !== id) return []
      const { recording, reason = null, orientation = null } = JSON.parse(beat) as Said
      return [{ at, recording, reason, orientation }]
    }),
  }))
}
