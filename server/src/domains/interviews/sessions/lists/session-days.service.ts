import { type SessionState, sessionStates } from '@integrity/protocol'
import type { Needs } from '../../../../kernel/call.ts'
import type { Days } from '../../../../kernel/days.ts'
import type { Scope } from '../../../../kernel/identity/scope.ts'
import { countOnDays, findFirstAt } from './session-days.store.ts'

type States = Readonly<Record<SessionState, number>>
export type SessionDay = { readonly day: number } & States

const none = Object.fromEntries(sessionStates.map((state) => [state, 0])) as States

/** How many sessions were made, began and ended on each day on which any did. */
export const sessionDays = async (
  call: Needs<'reader'>,
  { scope, days }: { readonly scope: Scope; readonly days: Days },
): Promise<SessionDay[]> => {
  const found = new Map<number, SessionDay>()
  for (const state of sessionStates)
    for (const { day, n } of await countOnDays(call.reader, scope, state, days))
      found.set(day, { ...(found.get(day) ?? { day, ...none }), [state]: n })
  return [...found.values()]
}

/** When a session came to the state for the first time. */
export const firstSessionAt = (
  call: Needs<'reader'>,
  { scope, state }: { readonly scope: Scope; readonly state: SessionState },
): Promise<number | null> => findFirstAt(call.reader, scope, state)
