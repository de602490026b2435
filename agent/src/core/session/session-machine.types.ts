import type { LaneName, SessionConfig, SessionPhase } from '@integrity/protocol'

/** What the candidate answered, lane by lane. A lane that is not here was not asked about and never starts. */
export type LaneAnswers = Readonly<Partial<Record<LaneName, boolean>>>

export interface BreaksTaken {
  readonly taken: number
  /** Of the break that runs; absent when the lanes run or are paused. */
  readonly endsAt?: number | undefined
}

export interface SessionState {
  readonly phase: SessionPhase
  readonly config: SessionConfig | undefined
  readonly policyVersion: number
  /** The program or the place of the video call, beside the apps that the policy names. */
  readonly callIn: string | undefined
  readonly answers: LaneAnswers
  /** The policy that the consent page was made of, and what was agreed to since. */
  readonly agreed: SessionConfig | undefined
  /** What was asked for in the running session and declined, as `extentOf` says it. */
  readonly declinedLater: Readonly<Partial<Record<LaneName, string>>>
  /** What a restarted agent goes on with, until the service has answered or was found to be away. */
  /** The breaks that were taken and when the one that runs ends, epoch ms; absent where none was taken. */
  readonly breaks?: BreaksTaken | undefined
  readonly comingBackTo: 'recording' | 'paused' | undefined
  /** Why it ended, once it has; the service is told this word. */
  readonly endReason: string | undefined
  /** The service knows of the end, or of the refusal: it ended the session itself, or has confirmed ours. */
  readonly endKnown: boolean
  readonly failure: string | undefined
}

export type SessionInput =
  | { readonly type: 'joined'; readonly config: SessionConfig; readonly callIn?: string | undefined }
  | { readonly type: 'consented'; readonly answers: LaneAnswers }
  | { readonly type: 'consent_refused' }
  /** The service has heard of the refusal; or why it takes it not any more. */
  | { readonly type: 'refusal_told'; readonly failure?: string }
  /** The answer was to another document, as the policy changed meanwhile; or the open question is to be put in another language. */
  | { readonly type: 'document_changed'; readonly config: SessionConfig }
  | {
      readonly type: 'registered'
      readonly config: SessionConfig
      readonly policyVersion: number
      readonly callIn?: string | undefined
    }
  | {
      readonly type: 'config_read'
      readonly config: SessionConfig
      readonly policyVersion: number
      readonly callIn?: string | undefined
      readonly ended: boolean
    }
  | { readonly type: 'pause' }
  | { readonly type: 'take_break' }
  /** The time of a break may be over. */
  | { readonly type: 'look_at_break' }
  | { readonly type: 'resume' }
  | { readonly type: 'withdraw'; readonly lane: LaneName }
  /** Answers to what this policy asks for since the session runs; the service has recorded them. */
  | { readonly type: 'answered_later'; readonly config: SessionConfig; readonly answers: LaneAnswers }
  | { readonly type: 'end'; readonly reason: string }
  /** Nobody answers an agent that comes back: its consent stands, so it goes on by the policy that it knows. */
  | { readonly type: 'service_away' }
  | { readonly type: 'session_gone' }
  /** The service knows no such session any more: nothing of it is taken, and nothing of it may stay here. */
  | { readonly type: 'session_removed' }
  | { readonly type: 'end_confirmed' }
  | { readonly type: 'drained' }
  | { readonly type: 'unauthorized' }
  | { readonly type: 'failed'; readonly message: string }
  /** A restarted agent goes on where the record says. */
  | { readonly type: 'restored'; readonly state: SessionState }

export type SessionEffect =
  | { readonly type: 'ask_consent' }
  | { readonly type: 'register' }
  /** As `register`, for an agent that was registered before it was restarted. */
  | { readonly type: 'come_back' }
  /** Note the time for which a restarted agent was gone, until now. */
  | { readonly type: 'note_absence' }
  /** Bring the running lanes to exactly these. */
  /** While it is paused, lanes end and none begins. */
  | {
      readonly type: 'run_lanes'
      readonly lanes: readonly LaneName[]
      readonly config: SessionConfig
      /** The program or page of the video call. */
      readonly callIn?: string
      readonly paused?: true
    }
  | { readonly type: 'pause_lanes'; readonly reason: 'paused' | 'break' }
  | { readonly type: 'resume_lanes' }
  | { readonly type: 'stop_lanes' }
  | { readonly type: 'note_withdrawn'; readonly lane: LaneName }
  /** Tell the service, after the last of what was captured is in the spool. */
  | { readonly type: 'send_end'; readonly reason: string }
  /** Tell the service that the candidate declined. */
  | { readonly type: 'send_refusal' }
  | { readonly type: 'drain' }
  | { readonly type: 'stop_sending' }
  /** Delete from this disk what is unsent. */
  | { readonly type: 'discard' }
  /** Make the state durable. */
  | { readonly type: 'save' }

export interface Step {
  readonly state: SessionState
  /** In this order; each is finished before the next begins. */
  readonly effects: readonly SessionEffect[]
}
