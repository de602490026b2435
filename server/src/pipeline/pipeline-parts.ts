import type { IncomingMessage } from 'node:http'
import type { CredentialSource } from '../kernel/credential-source.ts'
import type { LiveSocketHandler } from '../kernel/handler.ts'
import type { Parts } from '../kernel/parts.ts'
import type { SignIns } from '../kernel/sign-ins.ts'
import type { AnswerCheck } from './bodies/validate.ts'

/** What a request needs on its way, beside what its handler may use. */
export interface PipelineParts extends Parts {
  /** The database for what a request writes: it does not wait for a lock as long as a job does. */
  readonly requestDb: Parts['db']
  /** The address that a request counts against. */
  readonly addressOf: (request: Pick<IncomingMessage, 'headers' | 'socket'>) => string
  readonly answerCheck: AnswerCheck
  /** Every kind of bearer credential; the one that owns a secret is asked. */
  readonly credentialSources: readonly CredentialSource[]
  readonly signIns: SignIns
  readonly liveSocket: LiveSocketHandler
  /** Idempotency keys whose first request is running in this process. */
  readonly runningKeys: Set<string>
}
