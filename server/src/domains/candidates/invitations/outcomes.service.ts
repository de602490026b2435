import type { Needs } from '../../../kernel/call.ts'
import type { Scope } from '../../../kernel/identity/scope.ts'
import type { Outcomes } from './invitations.types.ts'
import { countOutcomes, findFirstInvitedAt } from './outcomes.store.ts'

/** Of the candidates invited in a time, what has become by now. */
export const invitationOutcomes = (
  call: Needs<'clock' | 'reader'>,
  { scope, span }: { readonly scope: Scope; readonly span: { readonly from: number; readonly until: number } },
): Promise<Outcomes> => countOutcomes(call.reader, scope, { ...span, now: call.clock.now() })

export const firstInvitedAt = (call: Needs<'reader'>, scope: Scope): Promise<number | null> =>
  findFirstInvitedAt(call.reader, scope)
