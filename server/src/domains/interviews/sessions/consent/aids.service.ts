import { type KeptAid, ServiceError, type WantedAid } from '@integrity/protocol'
import type { Needs, WriteCall } from '../../../../kernel/call.ts'
import type { Actor } from '../../../../kernel/identity/actor.ts'
import { writeConfig } from '../sessions.config.service.ts'
import type { SessionRow } from '../sessions.types.ts'
import { answeredWith, declaredWith, withAids } from './aids.model.ts'

type Change = WriteCall<Actor> & Needs<'db'>

/** The candidate's words are with the request; the trail says what was declared and what became of it. */
const save = async (call: Change, session: SessionRow, declared: KeptAid[]): Promise<KeptAid[]> => {
  const states = declared.map(({ aid, state }) => ({ aid, state }))
  await writeConfig(call, { session, merged: withAids(session.config, declared), payload: { aids: states } })
  return declared
}

/** Declares aids in a locked session that has not begun. Throws `conflict` for one that has. */
export const declareAids = (
  call: Change,
  { session, aids }: { readonly session: SessionRow; readonly aids: readonly WantedAid[] },
): Promise<KeptAid[]> => {
  if (session.state !== 'scheduled')
    throw new ServiceError('conflict', 'the interview has begun: write to the hiring team about what you need')
  return save(call, session, declaredWith(session.config, aids))
}

/** Answers what is declared in a locked session and not answered yet. Throws `conflict` for an agreement once it has ended. */
export const answerAids = async (
  call: Change,
  { session, state }: { readonly session: SessionRow; readonly state: 'agreed' | 'refused' },
): Promise<void> => {
  if (session.state === 'ended' && state === 'agreed')
    throw new ServiceError('conflict', 'the interview has ended: what was collected is there already')
  await save(call, session, answeredWith(session.config.aids.declared, state))
}
