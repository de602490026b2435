import type { Reads } from '../../kernel/call.ts'
import type { SaidAnnotation, SaidNote } from './report.document.model.ts'

/** What people of the organisation said of a session, oldest first. The caller has found the session in this scope. */
export const readSaid = async (
  _call: Reads,
  _sessionId: string,
): Promise<{ readonly notes: readonly SaidNote[]; readonly annotations: readonly SaidAnnotation[] }> => ({
  notes: [],
  annotations: [],
})

export interface Revision {
  readonly revision: number
  /** Canonical JSON of a report document. */
  readonly document: string
  /** Of the document, hex. */
  readonly sha256: string
}

/** A signed report, the newest where no number is named; undefined where there is none. */
export const findRevision = async (
  _call: Reads,
  _sessionId: string,
  _revision?: number,
): Promise<Revision | undefined> => undefined
