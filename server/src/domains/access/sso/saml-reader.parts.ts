import { ServiceError } from '@integrity/protocol'
import { createTurns } from '../../../platform/turns.ts'
import { ThreadGaveUp, WorkerThread } from '../../../platform/worker-thread.ts'
import type { AssertionFacts } from './saml-assertion.model.ts'
import { SamlRefusal } from './saml-xml.model.ts'
import type { ServiceProvider } from './service-provider.model.ts'
import type { SamlSettings } from './sso.types.ts'

declare module '../../../kernel/parts.ts' {
  interface Parts {
    readonly samlReader: SamlReader
  }
}

export interface SamlJob {
  readonly settings: SamlSettings
  readonly provider: ServiceProvider
  readonly given: { readonly answer: string; readonly requestId: string; readonly now: number }
}
export type SamlOutcome =
  | { readonly facts: AssertionFacts }
  | { readonly refusal: string; readonly said?: string | undefined }

export interface SamlReader {
  /** Rejects with a `SamlRefusal`. */
  read(orgId: string, job: SamlJob): Promise<AssertionFacts>
}

/**
 * Reads the answers of identity providers in a thread of its own, each organisation in its turn. An ordinary answer takes 10 to 30 ms
 * of a slow processor there, the largest that is taken (`xmlExcess`) 200 ms, and loading node-saml once 200 ms: none of this may hold
 * up the others, as anybody may send an answer to an organisation that signs in by SAML.
 */
export const createSamlReader = (): SamlReader => {
  const module = new URL('./saml-reader.worker.ts', import.meta.url)
  const thread = new WorkerThread<SamlJob, SamlOutcome>({
    module,
    deadlineMs: 10_000,
    idleMs: 60_000,
    maxMemoryMiB: 96,
  })
  const turns = createTurns({
    parallel: 1,
    waitingOfOwner: 16,
    waiting: 200,
    refuse: () =>
      new ServiceError('service_unavailable', 'too many sign-ins are waiting; begin again in a moment', {
        headers: { 'Retry-After': '5' },
      }),
  })
  return {
    async read(orgId, job) {
      const outcome = await turns
        .run(orgId, () => thread.run(job))
        .catch((error: unknown) => {
          throw error instanceof ThreadGaveUp ? new SamlRefusal('not_readable') : error
        })
      if ('refusal' in outcome) throw new SamlRefusal(outcome.refusal, outcome.said)
      return outcome.facts
    },
  }
}
