import { IntegrityError } from '@integrity/client/errors'
import { agreed, asked } from './room.facts.ts'
import type { RoomPorts } from './room.ports.ts'
import type { RoomFacts } from './room.types.ts'
import { consentDocumentOf } from './room-api.ts'

type Ports = Pick<RoomPorts, 'api' | 'time'>

/** What became of an answer, or of the wish to give another one. */
export type Consenting =
  /** The service has heard it: these facts decide. */
  | { readonly kind: 'settled'; readonly facts: RoomFacts }
  /** The document is to be read: the newest one where it was changed meanwhile, else with the problem. */
  | { readonly kind: 'read'; readonly facts: RoomFacts; readonly changed: boolean; readonly problem: boolean }
  /** The answer no longer fits: what the service says now decides. */
  | { readonly kind: 'moot' }
  /** The service was not reached. */
  | { readonly kind: 'unreached' }

/** Only what ends the link, or is no answer of the service at all, is for the caller. */
const passing = (error: unknown): IntegrityError => {
  if (!(error instanceof IntegrityError) || error.kind === 'unauthorized') throw error
  return error
}

export const answerConsent = async ({ api, time }: Ports, shown: RoomFacts, accepted: boolean): Promise<Consenting> => {
  const { version, locale, hash: documentHash } = shown.consentDocument
  const acceptedAt = new Date(time.now()).toISOString()
  try {
    return { kind: 'settled', facts: await api.answer({ version, locale, documentHash, accepted, acceptedAt }) }
  } catch (thrown) {
    const error = passing(thrown)
    const newest = consentDocumentOf(error)
    const changed = newest !== undefined
    // It is no longer asked for, or the session has moved on.
    if (!changed && !error.isPassing) return { kind: 'moot' }
    const facts = { ...shown, consentDocument: newest ?? shown.consentDocument }
    return { kind: 'read', facts, changed, problem: !changed }
  }
}

/** The document as it is now: it may have changed since it was declined. */
export const readAgain = async ({ api }: Ports): Promise<Consenting> => {
  try {
    const facts = await api.read()
    if (!asked(facts) || agreed(facts)) return { kind: 'settled', facts }
    return { kind: 'read', facts, changed: false, problem: false }
  } catch (thrown) {
    passing(thrown)
    return { kind: 'unreached' }
  }
}
