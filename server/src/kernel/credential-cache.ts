import { Cache } from '../platform/cache.ts'
import type { Clock } from '../platform/clock.ts'
import type { FoundCredential } from './credential-source.ts'

/** How long another process's revocation may go unnoticed here, when the word of it was lost. */
const freshMs = 2000
const maxEntries = 10_000

/**
 * Credentials found a moment ago, by the hash of their secret: a lookup after every commit would read the database's
 * pages again. Only hits are kept; whoever revokes, rotates or ends must call `clear`, which makes it effective at once
 * in this process, and in the others as soon as they hear of it.
 */
export interface CredentialCache {
  get(hash: string): FoundCredential | undefined
  /** Taken before a lookup and given to `set`: what was read before a `clear` is not kept after it. */
  stamp(): number
  set(hash: string, found: FoundCredential, stamp: number): void
  clear(): void
  /** Here alone: for what the others hear of in another way. */
  forget(): void
}

/** On which processes tell each other that credentials have ended. */
export const credentialsChannel = 'credentials'

export const createCredentialCache = (clock: Clock, tellOthers: () => void): CredentialCache => {
  const entries = new Cache<FoundCredential>({ limit: maxEntries, age: { ms: freshMs, now: () => clock.now() } })
  let cleared = 0
  const forget = (): void => {
    cleared += 1
    entries.clear()
  }
  return {
    get: (hash) => entries.get(hash),
    stamp: () => cleared,
    set(hash, found, stamp) {
      if (stamp === cleared) entries.set(hash, found)
    },
    clear() {
      forget()
      tellOthers()
    },
    forget,
  }
}
