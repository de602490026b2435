import { hash } from 'node:crypto'
import type { Needs, Reads } from '../../kernel/call.ts'
import { canonicalize } from '../../platform/canonical-json.ts'
import { captureChainOf } from '../evidence/evidence.chain.service.ts'
import { signalsOf } from '../integrity-events/integrity-events.states.service.ts'
import { annotationsOf, notesOf } from '../notes/notes.service.ts'
import { noteView } from '../notes/notes.view.ts'
import { annotationView } from './annotations.view.ts'
import { readLanes } from './coverage.service.ts'
import { captureOf } from './report.capture.model.ts'
import { documentOf, type SignOff } from './report.document.model.ts'

export interface CanonicalReport {
  /** Canonical JSON (RFC 8785). */
  readonly text: string
  /** Of the text, hex. */
  readonly sha256: string
}

/**
 * The report of a session as it stands, as a person signs it or, without that, as of now. Throws `not_found` for a foreign
 * session.
 */
export const reportDocumentOf = async (
  call: Reads & Needs<'clock'>,
  { sessionId, signOff }: { readonly sessionId: string; readonly signOff: SignOff | null },
): Promise<CanonicalReport> => {
  const lanes = await readLanes(call, sessionId)
  const signals = await signalsOf(call, sessionId)
  const notes = (await notesOf(call, sessionId)).map(noteView)
  const annotations = (await annotationsOf(call, sessionId)).map(annotationView)
  const capture = captureOf(await captureChainOf(call, sessionId))
  const said = { capture, signals, notes, annotations, signOff }
  const text = canonicalize(documentOf({ lanes, ...said, now: call.clock.now() }))
  return { text, sha256: hash('sha256', text, 'hex') }
}
