import { IntegrityError } from '@integrity/client/errors'
import type { CodeProblem } from './companion.states.ts'
import type { Identity } from './companion-api.ts'
import type { Memory } from './queue.port.ts'
import type { Ports } from './session.ports.ts'
import type { Claimed, ConsentDocument, Pairing, Status } from './session.types.ts'

const codeProblems: Partial<Record<IntegrityError['kind'], CodeProblem>> = {
  not_found: 'not_found',
  refused: 'not_found',
  conflict: 'conflict',
  too_many: 'too_many',
}

export const identityOf = ({ token, session }: Pairing): Identity => ({ token, sessionId: session.id })

const pairingOf = ({
  companionToken,
  companionId,
  session,
  org,
  inviter,
  config,
  consentDocument,
}: Claimed): Pairing => ({
  companionId,
  session,
  org,
  inviter,
  config,
  consentDocument,
  token: companionToken,
  stage: 'consent',
})

/** Takes a code. What is asked is kept first: with the same key, an answer that was lost is given again. */
export const claimCode = async (
  { api, device, language }: Pick<Ports, 'api' | 'device' | 'language'>,
  code: string,
  known: Memory['claiming'],
  remember: (memory: Memory) => Promise<void>,
): Promise<Pairing | CodeProblem> => {
  const claiming = known?.code === code ? known : { code, key: device.newId(), locale: language() }
  try {
    await remember({ claiming })
    return pairingOf(await api.claim(code, claiming.key, device.facts, claiming.locale))
  } catch (error) {
    const problem = error instanceof IntegrityError ? (codeProblems[error.kind] ?? 'unreachable') : 'unreachable'
    // An answer that did not come may have been a yes; any other one was a no, and is not asked for again.
    if (problem !== 'unreachable') await remember({}).catch(() => undefined)
    return problem
  }
}

export type Answered =
  | { readonly kind: 'taken'; readonly config: Status['config'] }
  | { readonly kind: 'over'; readonly why: 'ended' | 'gone' }
  /** Not taken: `changed` when the document to be answered is another one by now. */
  | { readonly kind: 'again'; readonly pairing: Pairing; readonly changed: boolean }

/** Answers the consent document as it was shown. */
export const answerDocument = async (
  { api, serverTime }: Pick<Ports, 'api' | 'serverTime'>,
  pairing: Pairing,
  accepted: boolean,
  locale: string,
): Promise<Answered> => {
  const { version, hash: documentHash } = pairing.consentDocument
  const acceptedAt = new Date(serverTime.now()).toISOString()
  try {
    const status = await api.consent(identityOf(pairing), { version, locale, documentHash, accepted, acceptedAt })
    return { kind: 'taken', config: status.config }
  } catch (error) {
    const kind = error instanceof IntegrityError ? error.kind : undefined
    if (kind === 'unauthorized') return { kind: 'over', why: 'gone' }
    const extra = error instanceof IntegrityError ? error.extra : {}
    const document = extra['consentDocument'] as ConsentDocument | undefined
    // The one other conflict is that the interview is over.
    if (kind === 'conflict' && !document) return { kind: 'over', why: 'ended' }
    const now = document && (await api.status(identityOf(pairing), locale).catch(() => undefined))
    const shown = { ...pairing, ...(now && { config: now.config }), ...(document && { consentDocument: document }) }
    return { kind: 'again', pairing: shown, changed: document !== undefined }
  }
}

/** The document in another language; nothing without an answer: the words stay as they are, and the page says which they are. */
export const readDocument = async (
  api: Ports['api'],
  pairing: Pairing,
  locale: string,
): Promise<Pairing | undefined> => {
  const status = await api.status(identityOf(pairing), locale).catch(() => undefined)
  if (!status?.consentDocument) return undefined
  return { ...pairing, config: status.config, consentDocument: status.consentDocument }
}
