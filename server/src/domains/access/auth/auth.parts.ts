import { randomBytes } from 'node:crypto'
import { hashPassword } from '../../../platform/crypto/passwords.ts'
import { createKeyedQueue, type KeyedQueue } from '../../../platform/keyed-queue.ts'

declare module '../../../kernel/parts.ts' {
  interface Parts {
    /** Attempts to sign in wait for one another by address: a wrong password counts before the next is looked at. */
    readonly signInTurns: KeyedQueue
    /** A hash that no password belongs to, so that an account that does not exist costs the same work. */
    readonly decoyHash: () => Promise<string>
  }
}

export const createAuthParts = () => {
  let decoy: Promise<string> | undefined
  return {
    signInTurns: createKeyedQueue(),
    decoyHash: () => {
      decoy ??= hashPassword(randomBytes(32).toString('base64'))
      return decoy
    },
  }
}
