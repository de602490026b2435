import type { SessionCredentialKind } from '@integrity/protocol'
import {
  type EvidenceType,
  evidenceTypes,
  invalid,
  type LaneName,
  laneEnabled,
  laneTitle,
  ServiceError,
  typeEnabled,
} from '@integrity/protocol'
import { laneGranted } from './consent/consent.model.ts'
import { credentialLifetimeMs } from './joining/credentials.store.ts'
import type { SessionGate } from './sessions.types.ts'

/** How far a device's clock may be ahead of ours, or an item older than its session, before it is refused. */
export const clockToleranceMs = 5 * 60_000
/** How long after the end an agent may still deliver what it captured before. */
export const lateDeliveryMs = 24 * 3_600_000

/**
 * When a credential of a session stops by itself, epoch milliseconds: the agent's and the phone's as long after the end as
 * late deliveries are taken, a room's with its session.
 */
export const credentialEndsAt = (
  kind: SessionCredentialKind,
  { createdAt, endedAt }: { readonly createdAt: number; readonly endedAt: number | null },
): number => {
  const late = kind === 'room' ? 0 : lateDeliveryMs
  return Math.min(createdAt + credentialLifetimeMs, endedAt === null ? Number.POSITIVE_INFINITY : endedAt + late)
}

/** The end of the year 9999, after which ISO 8601 needs more digits than anybody reads. */
const lastInstant = Date.UTC(10_000, 0) - 1

/** Epoch milliseconds of an instant that is stored as it was said; refuses one before 1970 or after 9999. */
export const readInstant = (text: string, path: string): number => {
  const at = Date.parse(text)
  if (at >= 0 && at <= lastInstant) return at
  throw invalid(path, 'must lie between the years 1970 and 9999')
}

/** Whoever sets an appointment for right now may have a clock that is behind. */
const pastToleranceMs = 5 * 60_000

/** When an interview is to begin, which is not in the past. */
export const readBeginning = (text: string, path: string, now: number): number => {
  const at = readInstant(text, path)
  if (at < now - pastToleranceMs) throw invalid(path, 'lies in the past')
  return at
}

const forbidden = (message: string) => new ServiceError('forbidden', message)
const conflict = (message: string) => new ServiceError('conflict', message)

/** A session whose evidence was erased collects nothing any more, whether or not it ever began. */
export const refuseErased = (session: Pick<SessionGate, 'erasedAt'>): void => {
  if (session.erasedAt !== null) throw conflict('the evidence of this session was erased; nothing more is accepted')
}

/** May this session still take anything at all? */
export const admitDelivery = (session: SessionGate, now: number): void => {
  refuseErased(session)
  if (session.endedAt !== null && now >= session.endedAt + lateDeliveryMs)
    throw conflict('this session ended more than 24 hours ago; nothing more is accepted')
  if (session.consent === null) throw forbidden('consent has not been recorded for this session')
}

/**
 * Consent and policy for one lane. A lane that the policy has switched off meanwhile still delivers what was captured
 * while it was on; a consent that was withdrawn stops everything.
 */
export const admitLane = (session: SessionGate, lane: LaneName, capturedAt: number): void => {
  const title = laneTitle(lane)
  const given = session.consent?.lanes[lane]
  if (given?.withdrawnAt) throw forbidden(`${title}: the candidate withdrew consent`)
  if (!laneGranted(session.consent, lane)) throw forbidden(`${title}: the candidate did not consent`)
  const off = session.lanesOff[lane]
  if (!laneEnabled(session.config, lane) && (off === undefined || capturedAt >= off))
    throw forbidden(`${title}: switched off by the session's policy`)
}

/**
 * Consent and policy for one type of evidence: a lane may give stills but no film, and a film that the policy asked for
 * only after the candidate had agreed needs another consent. What was captured before a change is still taken.
 */
export const admitType = (session: SessionGate, type: EvidenceType, capturedAt: number): void => {
  const agreed = session.consent?.evidenceTypes
  if (agreed && !agreed.includes(type))
    throw forbidden(`${evidenceTypes[type].title}: the candidate was not asked for it`)
  const off = session.lanesOff[type]
  if (!typeEnabled(session.config, type) && (off === undefined || capturedAt >= off))
    throw forbidden(`${evidenceTypes[type].title}: not asked for by the session's policy`)
}

/** Was it captured while the session ran? */
export const admitInstant = (session: SessionGate, at: number, now: number): void => {
  const refuse = (message: string): never => {
    throw new ServiceError('invalid_request', message, { details: [{ path: 'capturedAt', message }] })
  }
  if (session.endedAt !== null && at > session.endedAt) refuse('captured after the session ended')
  if (at > now + clockToleranceMs) refuse('captured in the future: is the clock right?')
  if (session.startedAt !== null && at < session.startedAt - clockToleranceMs)
    refuse('captured before the session started')
}

/** The gate of every upload: consent, policy, and time. */
export const admitCapture = (
  session: SessionGate,
  lane: LaneName,
  type: EvidenceType,
  capturedAt: number,
  now: number,
): void => {
  admitDelivery(session, now)
  admitLane(session, lane, capturedAt)
  admitType(session, type, capturedAt)
  admitInstant(session, capturedAt, now)
}
