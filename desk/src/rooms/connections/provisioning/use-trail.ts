import type { ReadResult } from '../../../data/desk-api.ts'
import type { QueryState } from '../../../data/query-store.ts'
import { useDesk } from '../../../parts/desk-context.ts'
import { type Question, useEndpoint } from '../../../parts/use-endpoint.ts'

export type TrailRow = ReadResult<'portal.auditLogs.list'>['items'][number]

/** The newest rows of each action. */
const most = 10

/** The audit trail's newest rows of some actions, newest first. `actions`: those of the first time. */
export const useTrail = (actions: readonly string[]): Question<readonly TrailRow[]> => {
  const { org } = useDesk()
  const questions = actions.map((action) =>
    // biome-ignore lint/correctness/useHookAtTopLevel: the actions of a component are always the same
    useEndpoint('portal.auditLogs.list', { params: { orgId: org.id }, query: { action, limit: most } }),
  )
  const again = () => {
    for (const question of questions) question.again()
  }
  const rows: TrailRow[] = []
  for (const { state } of questions) {
    if (state.name !== 'there') return { state: state as QueryState<readonly TrailRow[]>, again }
    rows.push(...state.data.items)
  }
  const data = rows.sort((one, other) => other.seq - one.seq)
  return { state: { name: 'there', data, problem: undefined }, again }
}
