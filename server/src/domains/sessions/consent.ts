import { createHash } from 'node:crypto'
import {
  agentLanes,
  type EvidenceType,
  type LaneName,
  laneEnabled,
  lanes,
  ServiceError,
  type SessionConfig,
} from '@integrity/protocol'
import { canonicalize } from '../../platform/canonical-json.ts'

/** The version of the words; a change of them is a new version. */
export const consentVersion = '2026-11-20'

/** What is agreed in a session. The first four are of the agent's document, absent until the agent has registered. */
export interface ConsentRecord {
  readonly version?: string
  readonly locale?: string
  readonly documentHash?: string
  /** ISO 8601, as the candidate's device said. */
  readonly acceptedAt?: string
  readonly lanes: Partial<Record<LaneName, { granted: boolean; at: string; withdrawnAt: string | null }>>
  /** What the document spoke of. A policy that is widened later needs the candidate's consent anew. */
  readonly evidenceTypes?: EvidenceType[]
}

export interface ConsentDocument {
  version: string
  locale: string
  hash: string
  retentionDays: number
  lanes: { lane: LaneName; required: boolean; title: string; text: string }[]
}

const intervalOf = (config: SessionConfig, lane: LaneName): number =>
  lane === 'screen' ? config.capture.screenshotIntervalSeconds : config.camera.stillIntervalSeconds

const wordsOf = (config: SessionConfig, lane: LaneName): string => {
  const text = lanes[lane].text.replace('{interval}', String(intervalOf(config, lane)))
  if (lane === 'signals' && config.windowTitles)
    return `${text.replace('Never window titles, key', 'Never key')} This organisation also asks for the titles of windows.`
  if (lane === 'screen' && config.capture.recording) return `${text} A film of the displays is recorded as well.`
  if (lane === 'camera' && config.camera.clips) return `${text} Short clips are recorded as well.`
  return text
}

/** What the candidate is shown for these lanes, made from the same registry and config that the server enforces. */
export const consentDocument = (config: SessionConfig, of: readonly LaneName[] = agentLanes): ConsentDocument => {
  const body = {
    version: consentVersion,
    locale: 'en',
    retentionDays: config.retentionDays,
    lanes: of
      .filter((lane) => laneEnabled(config, lane))
      .map((lane) => ({
        lane,
        required: !config.optionalLanes.includes(lane),
        title: lanes[lane].title,
        text: wordsOf(config, lane),
      })),
  }
  return { ...body, hash: createHash('sha256').update(canonicalize(body)).digest('hex') }
}

/** Refuses an answer to another document than the one in force, and hands that one out. `path` is where the hash stood. */
export const checkDocument = (document: ConsentDocument, givenHash: string, path: string): void => {
  if (givenHash === document.hash) return
  throw new ServiceError('conflict', 'the consent document has changed: show the current one and ask again', {
    details: [{ path, message: `the current document is ${document.hash}` }],
    extra: { consentDocument: document },
  })
}

export const laneGranted = (consent: ConsentRecord | null, lane: LaneName): boolean => {
  const given = consent?.lanes[lane]
  return given?.granted === true && given.withdrawnAt === null
}
