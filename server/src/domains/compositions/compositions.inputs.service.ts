import { createHash } from 'node:crypto'
import { compositionInputTypes } from '@integrity/protocol'
import type { Needs, Reads } from '../../kernel/call.ts'
import type { FilmPlan } from '../../platform/film/film.types.ts'
import { readContent } from '../evidence/evidence.download.service.ts'
import { evidenceInventory, listEvidence } from '../evidence/evidence.service.ts'
import { eventPages } from '../integrity-events/integrity-events.service.ts'
import { gapsOf, windowsOf } from '../lanes/lanes.service.ts'
import type { SessionRow } from '../sessions/sessions.types.ts'
import { inputsVersion } from './compositions.policy.ts'
import type { InputEntry } from './compositions.view.ts'
import { planFilm } from './plan.model.ts'
import type { PlanInput } from './plan.tracks.model.ts'

const pageRows = 500

const byCapture = (a: PlanInput, b: PlanInput): number => a.capturedAt - b.capturedAt || (a.id < b.id ? -1 : 1)

/** Metadata of everything a session's film is made of, ordered by capture time and id; what was erased is left out. */
const listInputs = async (call: Reads, sessionId: string): Promise<PlanInput[]> => {
  // By id: what arrives meanwhile moves the pages, and a row may come twice.
  const found = new Map<string, PlanInput>()
  for (const evidenceType of compositionInputTypes)
    for (let cursor: string | undefined; ; ) {
      const page = { limit: pageRows, offset: 0, cursor }
      const { items, nextCursor } = await listEvidence(call, {
        sessionId,
        options: { evidenceType, order: 'playback' },
        query: page,
      })
      for (const { id, sha256, contentType, sizeBytes, capturedAt, durationMs = null, metadata, erasedAt } of items) {
        if (erasedAt !== null) continue
        const displayId = typeof metadata['displayId'] === 'string' ? metadata['displayId'] : ''
        const kept = { id, evidenceType, sha256, contentType, sizeBytes, durationMs, displayId }
        found.set(id, { ...kept, capturedAt: Date.parse(capturedAt) })
      }
      if (nextCursor === null) break
      cursor = nextCursor
    }
  return [...found.values()].sort(byCapture)
}

/** SHA-256 over one line `<sha256> <evidenceType> <evidenceId>` for each input, as the contract says. */
const hashInputs = (inputs: readonly PlanInput[]): string => {
  const hash = createHash('sha256')
  for (const { sha256, evidenceType, id } of inputs) hash.update(`${sha256} ${evidenceType} ${id}\n`)
  return hash.digest('hex')
}

export interface RenderInputs {
  readonly plan: FilmPlan
  /** See `inputsVersion`. */
  readonly version: string
  readonly entries: readonly InputEntry[]
  readonly sha256: string
}

/** Looks at what there is now and lays out the film. Holds metadata only; bytes are read when the film asks for them. */
export const gatherInputs = async (
  call: Reads & Needs<'db' | 'identities' | 'keyring' | 'sessionKeys' | 'store'>,
  session: SessionRow,
): Promise<RenderInputs> => {
  const { scope } = call
  const { reader } = call.db
  // Before the rows: what comes in between makes the film stale, never the other way round.
  const version = inputsVersion(await evidenceInventory({ ...call, reader }, session.id))
  const inputs = await listInputs({ ...call, reader }, session.id)
  const events: { kind: string; observedAt: number }[] = []
  for await (const page of eventPages({ ...call, reader }, { sessionId: session.id, category: 'observation' }))
    for (const { kind, observedAt } of page) events.push({ kind, observedAt })
  const plan = planFilm({
    session,
    inputs,
    windows: await windowsOf({ reader, scope }, session.id),
    gaps: await gapsOf({ reader, scope }, session.id),
    events,
    open: (input, range) => readContent(call, { item: input, range }),
  })
  const entries = inputs.map(
    ({ id, evidenceType, sha256, capturedAt }): InputEntry => ({
      evidenceId: id,
      evidenceType,
      sha256,
      capturedAt: new Date(capturedAt).toISOString(),
    }),
  )
  return { plan, version, entries, sha256: hashInputs(inputs) }
}
