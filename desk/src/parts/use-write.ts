import { type Sending, useSending } from '@integrity/shared-ui/hooks/use-sending'
import type { ReadId } from '../data/desk-api.ts'
import { useDesk } from './desk-context.ts'

export interface Write extends Pick<Sending, 'busy' | 'problem'> {
  /** Does it unless it is being done, then reads again what it has changed. */
  readonly write: (act: () => Promise<unknown>) => void
}

/** One write at a time. `changes`: the endpoints whose answers it changes, which are read again after a conflict too. */
export const useWrite = (...changes: readonly ReadId[]): Write => {
  const { queries, endedBy } = useDesk()
  const changed = () => queries.changed(...changes)
  const { busy, problem, send } = useSending({ endedBy, onConflict: () => void changed() })
  const write = (act: () => Promise<unknown>) =>
    send(async () => {
      await act()
      await changed()
    })
  return { busy, problem, write }
}
