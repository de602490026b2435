import { useCallback, useSyncExternalStore } from 'react'
import type { ReadArguments, ReadId, ReadResult } from '../data/desk-api.ts'
import { keyOf, type QueryState } from '../data/query-store.ts'
import { useDesk } from './desk-context.ts'

export interface Question<T> {
  readonly state: QueryState<T>
  readonly again: () => void
}

/** What the service answers, by the id of the endpoint; asked when something first looks at it. */
export const useEndpoint = <Id extends ReadId>(id: Id, ...input: ReadArguments<Id>): Question<ReadResult<Id>> => {
  const { queries } = useDesk()
  const key = keyOf(id, input[0] ?? {})
  const watch = useCallback((listener: () => void) => queries.watch(key, listener), [queries, key])
  const state = useSyncExternalStore(watch, () => queries.state(key))
  return { state: state as QueryState<ReadResult<Id>>, again: () => void queries.again(key) }
}
