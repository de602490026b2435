import { laneEnabled } from '@integrity/protocol'
import { inTx } from '../../../kernel/call.ts'
import { iso } from '../../../kernel/time.ts'
import type { Tx } from '../../../platform/db/types.ts'
import { getSession } from '../../interviews/sessions/sessions.read.service.ts'
import { sessionRef } from '../../interviews/sessions/sessions.view.ts'
import { beatSimulated, pairSimulated } from '../../recording/companions/simulated-phone.service.ts'
import { doneBefore, type Moment } from './sandbox.moment.service.ts'
import type { Act } from './sandbox.steps.model.ts'

type PhoneAct = Extract<Act, { do: 'phone' }>
type Said = 'off' | 'on' | 'interrupted'

/** What the phone says of itself once a step has told of it, by the last word of the event's name. */
const saidAfter: Readonly<Record<string, Said>> = {
  recording_started: 'on',
  resumed: 'on',
  interrupted: 'interrupted',
  recording_stopped: 'off',
}
const saidBy = ({ type }: Pick<PhoneAct, 'type'>): Said | undefined => saidAfter[type.slice(type.indexOf('.') + 1)]

const companionIdOf = ({ run }: Moment): string => run.id.replace(/^sim_/, 'cpn_')

const saidBefore = (moment: Moment): Said =>
  doneBefore(moment, 'phone').reduce<Said>((said, { act }) => saidBy(act) ?? said, 'off')

/** The presence of the phone up to this moment, where it is paired. */
export const keepPhoneThere = async (
  moment: Moment,
  { tx, from = saidBefore(moment) }: { readonly tx: Tx; readonly from?: Said | undefined },
): Promise<void> => {
  if (doneBefore(moment, 'phone').length === 0) return
  const stretch = { companionId: companionIdOf(moment), until: saidBefore(moment), from, at: moment.now }
  await beatSimulated(inTx(moment.call, tx), stretch)
}

/** Published as the phone's own endpoints would, with its presence; it leaves no evidence here. */
export const reportPhone = async (
  moment: Moment,
  { tx, type }: Pick<PhoneAct, 'type'> & { readonly tx: Tx },
): Promise<void> => {
  const { call, session, now } = moment
  const companionId = companionIdOf(moment)
  const inside = inTx(call, tx)
  const current = await getSession(inside, session.id)
  // A policy that rules the phone out leaves its announcements alone.
  const isWanted = laneEnabled(current.config, 'side_view')
  if (type === 'companion.paired' && isWanted) await pairSimulated(inside, { session: current, companionId })
  else await keepPhoneThere(moment, { tx, from: saidBy({ type }) })
  await call.audit.append(inside, {
    action: 'simulation.phone_reported',
    target: companionId,
    sessionId: session.id,
    payload: { type },
  })
  const data = { session: sessionRef(current), companion: { id: companionId }, at: iso(now) }
  await call.outbox.publish(inside, { type, sessionId: session.id, data })
}
