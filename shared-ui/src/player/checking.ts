import { captureItemText, captureKeyText } from '@integrity/protocol/capture-texts'
import type { ReelItem } from './reel.ts'
import { isSignedBy, sha256Of } from './web-crypto.ts'

/**
 * What was found of an item. `signed`: its bytes have its hash, and the machine that captured it signed that. `unsigned`: they
 * have its hash, and no machine has signed it, or nobody here may see signatures. `unfit`: they have another hash, the list of
 * evidence says something else, or a signature does not fit.
 */
export type Finding = 'signed' | 'unsigned' | 'unfit'

/** What the list of evidence says of an item. */
export interface Said {
  readonly sha256: string
  readonly evidenceType: string
  readonly capturedAt: string
  readonly durationMs?: number | undefined
  readonly signature: {
    readonly key: string
    readonly sequence: number
    readonly previous: string
    readonly signature: string
    readonly verified: boolean
  } | null
}

/** A key that a machine made for this session, and what it signed as it did. */
export interface RegisteredKey {
  readonly key: string
  readonly documentHash: string
  readonly signature: string
}

export interface CheckingPorts {
  /** What the list of evidence says; undefined where nothing is known of it. */
  readonly saidOf: (item: ReelItem) => Promise<Said | undefined>
  /** Those that machines registered for the session. */
  readonly keys: () => Promise<readonly RegisteredKey[]>
}

/** Holds the bytes of items of a session against their hash, the list of evidence, and the signature of the machine. */
export const checkerOf = (sessionId: string, { saidOf, keys }: CheckingPorts) => {
  const registered = new Map<string, Promise<boolean | undefined>>()
  /** Whether the key was registered for this session, by who has it. */
  const isOfSession = (key: string): Promise<boolean | undefined> => {
    const known = registered.get(key)
    if (known) return known
    const found = keys().then(async (all) => {
      const one = all.find((candidate) => candidate.key === key)
      if (!one) return false
      const { documentHash, signature } = one
      return isSignedBy({ key, signature, text: captureKeyText({ sessionId, key, documentHash }) })
    })
    registered.set(key, found)
    // It could not be asked for, so it is asked for again.
    found.catch(() => registered.delete(key))
    return found
  }
  return async (item: ReelItem): Promise<Finding> => {
    if ((await sha256Of(item.bytes)) !== item.sha256) return 'unfit'
    const said = await saidOf(item)
    if (!said) return 'unsigned'
    if (said.sha256 !== item.sha256) return 'unfit'
    if (said.signature === null) return 'unsigned'
    const { key, sequence, previous, signature, verified } = said.signature
    if (!verified) return 'unfit'
    const { evidenceType, capturedAt, durationMs = null } = said
    const at = Date.parse(capturedAt)
    const text = captureItemText({
      sessionId,
      sequence,
      previous,
      evidenceType,
      sha256: item.sha256,
      capturedAt: at,
      durationMs,
    })
    const found = [await isOfSession(key), await isSignedBy({ key, signature, text })]
    if (found.includes(false)) return 'unfit'
    return found.includes(undefined) ? 'unsigned' : 'signed'
  }
}
