import type { AtsProvider } from '@integrity/protocol'

/** Whom a note is written beside. Ids are the provider's. */
export interface Applicant {
  readonly applicationId: string
  readonly candidateId: string
}

export interface Application extends Applicant {
  readonly name: string | null
  readonly email: string | null
  /** Where they stand now; without id and name in none. */
  readonly stage: Stage
}
export interface Stage {
  readonly id: string | null
  readonly name: string | null
}

/** Plain text; `ref` is in it, so that one that was cut off is found before it is written again. */
export interface Note {
  readonly text: string
  readonly ref: string
}

/** An applicant tracking system. Each call may reject with `ProviderFailed`. */
export interface Ats {
  /** Reads something small. */
  probe(): Promise<void>
  readApplication(applicationId: string): Promise<Application>
  /** `again`: an earlier attempt may have arrived. @returns the id of the candidate whom it was written beside, who may be another one since a merge */
  push(to: Applicant, note: Note, again: boolean): Promise<string>
}

/** A message of a webhook whose signature holds. */
export interface AtsNews {
  /** Names of the message: one that is known makes it a repeated one. */
  readonly keys: readonly string[]
  /** What is missing or another thing in a message that should say who entered a stage. */
  readonly unreadable?: string
  /** Who entered which stage; undefined where it is about something else. */
  readonly entered?: {
    readonly applicationId: string
    /** Without id and name: the message does not say which, so it is asked for. Null: it says that they are in none. */
    readonly stage: Stage | null
    /** Where the signature covers who it is. */
    readonly application?: Application
  }
}

/** A stranger's, until the signature over its bytes holds: nothing of it is parsed before. */
export interface SignedMessage {
  readonly bytes: Buffer
  readonly headers: Readonly<Record<string, string | undefined>>
  /** Epoch milliseconds. */
  readonly now: number
}

/** Other addresses than the providers' own, for tests; of `greenhouse_assessment` what the addresses it gives may begin with. */
export type AtsAddresses = Readonly<Partial<Record<AtsProvider | 'greenhouseAuth', string>>>
