import { createHash } from 'node:crypto'
import { compositionInputTypes, momentRules } from '@integrity/protocol'
import type { Needs, Reads } from '../../../kernel/call.ts'
import type { FilmPlan } from '../../../platform/film/film.types.ts'
import { observationPages, readStates } from '../../interviews/integrity-events/integrity-events.states.service.ts'
import type { SessionRow } from '../../interviews/sessions/sessions.types.ts'
import { readContent } from '../../recording/evidence/evidence.download.service.ts'
import { evidenceInventory, listEvidence } from '../../recording/evidence/evidence.service.ts'
import { readAccount } from '../reports/account.service.ts'
import { readWholeCoverage } from '../reports/coverage.service.ts'
import { segmentPages } from '../transcripts/transcripts.service.ts'
import { inputsVersion } from './compositions.policy.ts'
import type { InputEntry } from './compositions.view.ts'
import type { PlanEvent } from './plan.displays.model.ts'
import { type PlanFacts, planFilm } from './plan.model.ts'
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
      for (const item of items) {
        const { id, sha256, contentType, sizeBytes, capturedAt, durationMs = null, erasedAt, source } = item
        if (erasedAt !== null) continue
        const kept = { id, evidenceType, sha256, contentType, sizeBytes, durationMs, source }
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

const speakers = { candidate: 'Candidate: ', interviewer: 'Interviewer: ', unknown: '' } as const

interface Segment {
  readonly startMs: number
  readonly endMs: number
  readonly speaker: keyof typeof speakers
  readonly text: string
}

const subtitleOf = ({ startMs, endMs, speaker, text }: Segment) => ({
  fromMs: startMs,
  toMs: endMs,
  text: `${speakers[speaker]}${text}`,
})

type Facts = Omit<PlanFacts, 'session' | 'inputs' | 'open'>

/** What was captured, what happened and what was said, in what other domains know of it. */
const readFacts = async (call: Reads & Needs<'clock'>, sessionId: string): Promise<Facts> => {
  const { sources: accounts } = await readAccount(call, sessionId)
  const { atStart } = await readStates(call, sessionId)
  const events: PlanEvent[] = []
  for await (const page of observationPages(call, { sessionId, which: 'events' }))
    for (const { kind, observedAt, data } of page)
      events.push({ kind, observedAt, data: JSON.parse(data) as PlanEvent['data'] })
  const moments: Facts['moments'][number][] = []
  for await (const page of (await readWholeCoverage(call, sessionId)).pages)
    for (const { at, rule } of page) moments.push({ at, title: momentRules[rule].title })
  const speech: Facts['speech'][number][] = []
  for await (const page of segmentPages(call, sessionId)) for (const segment of page) speech.push(subtitleOf(segment))
  const states = atStart.map(({ kind, at, data }): PlanEvent => ({ kind, observedAt: at, data }))
  return { accounts, atStart: states, events, moments, speech }
}

/** Looks at what there is now and lays out the film. Holds metadata only; bytes are read when the film asks for them. */
export const gatherInputs = async (
  call: Reads & Needs<'clock' | 'db' | 'identities' | 'keyring' | 'sessionKeys' | 'store'>,
  session: SessionRow,
): Promise<RenderInputs> => {
  const { reader } = call.db
  // Before the rows: what comes in between makes the film stale, never the other way round.
  const version = inputsVersion(await evidenceInventory({ ...call, reader }, session.id))
  const inputs = await listInputs({ ...call, reader }, session.id)
  const plan = planFilm({
    ...(await readFacts({ ...call, reader }, session.id)),
    session,
    inputs,
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
