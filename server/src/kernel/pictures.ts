import { availableParallelism } from 'node:os'
import { ServiceError } from '@integrity/protocol'
import { checkPicture, type Picture } from '../platform/content/content-check.ts'
import { walkPicture } from '../platform/content/picture-walk.ts'
import { type RateCounter, windowMs } from '../platform/rate/rate-counter.ts'
import { createTurns } from '../platform/turns.ts'
import type { Limits } from './config.ts'
import type { Scope } from './identity/scope.ts'
import { rateLimited } from './rate-limited.ts'

export interface Looked {
  readonly picture: Picture
  /** False where its container alone was read. */
  readonly decoded: boolean
}

/** Sees that pictures are what they are said to be. */
export interface Pictures {
  /** By its container; by decoding it, as `check` does, where that does not tell. Throws `invalid_request`. */
  look(scope: Scope, sessionId: string, bytes: Buffer, contentType: string): Promise<Looked>
  /**
   * As `checkPicture`, a few at a time and the organisations in turn. Throws `rate_limited` when what the session has had
   * decoded in this minute has reached the ceiling: a picture of a hundred million pixels takes a second and forty bytes.
   */
  check(scope: Scope, sessionId: string, bytes: Buffer, contentType: string): Promise<Picture>
}

const waiting = { waitingOfOwner: 256, waiting: 1024 }

const refuse = () =>
  new ServiceError('service_unavailable', 'too many pictures are waiting to be checked; try again in a moment', {
    headers: { 'Retry-After': '5' },
  })

export const createPictures = (rate: RateCounter, { megapixelsPerSession: limit }: Limits): Pictures => {
  const parallel = Math.max(2, availableParallelism() - 1)
  const turns = createTurns({ parallel, ...waiting, refuse })
  const take = async (sessionId: string, pixels: number): Promise<void> => {
    const { allowed, resetSeconds } = await rate.take(`pixels ${sessionId}`, limit, Math.ceil(pixels / 1_000_000))
    if (allowed) return
    const windowSeconds = windowMs / 1000
    const message = `${limit} megapixels of pictures of a session in ${windowSeconds} s is the ceiling`
    throw rateLimited(message, { limit, waitSeconds: resetSeconds, windowSeconds })
  }
  const check: Pictures['check'] = ({ orgId }, sessionId, bytes, contentType) =>
    turns.run(orgId, () => checkPicture(bytes, contentType, { admit: (pixels) => take(sessionId, pixels) }))
  return {
    check,
    async look(scope, sessionId, bytes, contentType) {
      const walked = walkPicture(bytes, contentType)
      if (walked) return { picture: walked, decoded: false }
      return { picture: await check(scope, sessionId, bytes, contentType), decoded: true }
    },
  }
}
