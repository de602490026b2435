import type { Caller } from '@integrity/client/caller'
import type { TypesOf } from '@integrity/client/calls'
import { IntegrityError } from '@integrity/client/errors'

/** Whether the service knows of no sign-in, or of none any more. */
export const isOver = (error: unknown): boolean => error instanceof IntegrityError && error.kind === 'unauthorized'

/**
 * Calls as whoever is signed in: the access cookie lives for minutes, and is renewed where it has ended. Calls that find it
 * ended at the same time wait for one renewal.
 */
export const renewing = <T extends TypesOf<T>>(caller: Caller<T>, renew: () => Promise<unknown>): Caller<T> => {
  let renewal: Promise<unknown> | undefined
  const renewed = (): Promise<unknown> => {
    renewal ??= renew().finally(() => {
      renewal = undefined
    })
    return renewal
  }
  return {
    call: async (id, ...input) => {
      try {
        return await caller.call(id, ...input)
      } catch (error) {
        if (!isOver(error)) throw error
        await renewed()
        return caller.call(id, ...input)
      }
    },
  }
}
