import { createHash } from 'node:crypto'
import {
  agentLanes,
  type ConsentLocale,
  consentLocaleFor,
  consentLocales,
  consentTexts,
  type EvidenceType,
  type LaneName,
  laneEnabled,
  laneWords,
  type Notice,
  noticeSentences,
  ServiceError,
  type SessionConfig,
  shownAids,
} from '@integrity/protocol'
import { canonicalize } from '../../../../platform/canonical-json.ts'

/** The version of the words; a change of them is a new version. */
const consentVersion = '2026-11-28'

/** What is agreed in a session. The first four are of the agent's document, absent until the agent has registered. */
export interface ConsentRecord {
  readonly version?: string
  /** Of the document that was answered. */
  readonly locale?: string
  readonly documentHash?: string
  /** ISO 8601, as the candidate's device said. */
  readonly acceptedAt?: string
  readonly lanes: Partial<Record<LaneName, { granted: boolean; at: string; withdrawnAt: string | null }>>
  /** What the document spoke of. A policy that is widened later needs the candidate's consent again. */
  readonly evidenceTypes?: EvidenceType[]
}

export interface ConsentDocument {
  version: string
  locale: ConsentLocale
  hash: string
  retentionDays: number
  lanes: { lane: LaneName; required: boolean; title: string; text: string }[]
  aids: ReturnType<typeof shownAids>
  notice: string[]
}

/** What a candidate is asked for, and what the organisation says of itself. */
export type Asked = SessionConfig & { readonly notice?: Notice }

/** What the candidate is shown for these lanes, made from the same registry and config that the server enforces. */
export const consentDocument = (
  config: Asked,
  of: readonly LaneName[] = agentLanes,
  locale: ConsentLocale = 'en',
): ConsentDocument => {
  const texts = consentTexts[locale]
  const body = {
    version: consentVersion,
    locale,
    retentionDays: config.retentionDays,
    lanes: of
      .filter((lane) => laneEnabled(config, lane))
      .map((lane) => ({
        lane,
        required: !config.optionalLanes.includes(lane),
        title: texts.lanes[lane].title,
        text: laneWords(config, lane, locale),
      })),
    aids: shownAids(config, locale),
    notice: config.notice ? noticeSentences(config.notice, locale) : [],
  }
  return { ...body, hash: createHash('sha256').update(canonicalize(body)).digest('hex') }
}

/**
 * The document in force that an answer with this hash is to, whichever language it is in. Throws `conflict` for any other
 * hash and hands out the document in the language of the answer; `path` is where the hash stood.
 */
export const documentAnswered = (
  config: Asked,
  of: readonly LaneName[],
  answer: { readonly documentHash: string; readonly locale: string },
  path: string,
): ConsentDocument => {
  const documents = consentLocales.map((locale) => consentDocument(config, of, locale))
  const answered = documents.find(({ hash }) => hash === answer.documentHash)
  if (answered) return answered
  const current = consentDocument(config, of, consentLocaleFor(answer.locale))
  throw new ServiceError('conflict', 'the consent document has changed: show the current one and ask again', {
    details: [{ path, message: `the current document is ${current.hash}` }],
    extra: { consentDocument: current },
  })
}

export const laneGranted = (consent: ConsentRecord | null, lane: LaneName): boolean => {
  const given = consent?.lanes[lane]
  return given?.granted === true && given.withdrawnAt === null
}
