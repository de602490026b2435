import { ServiceError } from '@integrity/protocol'
import { createTurns, type Turns } from '../../../platform/turns.ts'

declare module '../../../kernel/parts.ts' {
  interface Parts {
    /** Bundles that are being built, each of which reads a whole session. */
    readonly bundleTurns: Turns
  }
}

export const createBundleTurns = (): Turns =>
  createTurns({
    parallel: 2,
    waitingOfOwner: 4,
    waiting: 40,
    refuse: () =>
      new ServiceError('service_unavailable', 'too many bundles are being built; try again in a moment', {
        headers: { 'Retry-After': '10' },
      }),
  })
