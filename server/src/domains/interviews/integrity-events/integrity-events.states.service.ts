import { kindsAbout, statesOf } from '@integrity/protocol'
import type { Reads } from '../../../kernel/call.ts'
import { eventPages } from './integrity-events.service.ts'
import { listChanges, listStates, type StateRow } from './integrity-events.states.store.ts'
import { eventCounts } from './integrity-events.store.ts'

/** So many are looked at; whatever comes after them counts as an event. */
const mostStates = 1000
const mostChanges = 5000

interface State {
  readonly id: string
  readonly position: number
  readonly kind: string
  readonly at: number
  readonly data: Record<string, never>
}

/** The observations of a session that are states and no events. */
export interface SessionStates {
  /** What the first look found, in order of time. */
  readonly atStart: readonly State[]
  /** Their positions, and those of what a later look repeated. */
  readonly positions: ReadonlySet<number>
  readonly ids: ReadonlySet<string>
  readonly countOf: (kind: string) => number
}

const parsed = ({ data, ...row }: StateRow): State => ({ ...row, data: JSON.parse(data) as State['data'] })

/** Which observations of a session are no events. The caller has found the session in this scope. */
export const readStates = async ({ reader, scope }: Reads, sessionId: string): Promise<SessionStates> => {
  const told = (await listStates(reader, scope, sessionId, mostStates)).map(parsed)
  const alone = statesOf(told)
  // Where an agent came back, what it found may have been told as it happened, and what it repeats may have been over meanwhile.
  const first = new Set(alone.atStart)
  const again = told.filter((one) => !first.has(one))
  const kinds = [...new Set(again.flatMap(({ kind }) => kindsAbout(kind)))]
  const changes = kinds.length > 0 ? await listChanges(reader, scope, sessionId, { kinds, limit: mostChanges }) : []
  const { atStart, repeated } = changes.length > 0 ? statesOf([...told, ...changes.map(parsed)]) : alone
  const states = [...atStart, ...repeated]
  const counts = Map.groupBy(states, ({ kind }) => kind)
  return {
    atStart,
    positions: new Set(states.map(({ position }) => position)),
    ids: new Set(states.map(({ id }) => id)),
    countOf: (kind) => counts.get(kind)?.length ?? 0,
  }
}

/** What happened in a session: observations of each kind, and how many, without what was so before. */
export const signalsOf = async (call: Reads, sessionId: string) => {
  const states = await readStates(call, sessionId)
  const counts = await eventCounts(call.reader, call.scope, sessionId, 'observation')
  const byKind = Object.fromEntries(
    Object.entries(counts)
      .map(([kind, n]) => [kind, n - states.countOf(kind)] as const)
      .filter(([, n]) => n > 0),
  )
  const total = Object.values(byKind).reduce((sum, n) => sum + n, 0)
  return { byKind, total, atStart: states.atStart.map(({ kind, data }) => ({ kind, data })) }
}

/**
 * Observations of a session in the order of receipt, page by page: what happened, or what was so before. The caller has found
 * the session in this scope.
 */
export async function* observationPages(
  call: Reads,
  { sessionId, which }: { readonly sessionId: string; readonly which: 'events' | 'states' },
) {
  const { positions } = await readStates(call, sessionId)
  for await (const page of eventPages(call, { sessionId, category: 'observation' }))
    yield page.filter(({ position }) => positions.has(position) === (which === 'states'))
}
