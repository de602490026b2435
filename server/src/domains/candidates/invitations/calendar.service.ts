import type { Needs, Writes } from '../../../kernel/call.ts'
import type { JobCall } from '../../../kernel/jobs/define-job.ts'
import { MailRefused } from '../../../platform/mail/mail.ts'
import { getSession, lockSession } from '../../interviews/sessions/sessions.read.service.ts'
import type { SessionRow } from '../../interviews/sessions/sessions.types.ts'
import { mailBrandOf } from '../../organisation/branding/letterhead.service.ts'
import { memberAddress, organizerOf } from '../../organisation/people/people.service.ts'
import { calendarPart } from '../appointments/appointments.calendar.view.ts'
import { type Appointment, readAppointment, recordWithdrawal } from '../appointments/appointments.service.ts'
import { forgetWithdrawal, listAsked, markAsked, saveWithdrawal } from './calendar.store.ts'
import { calendarWordsOf, withdrawalOf } from './candidate.messages.ts'

/** All that the message needs: when it is sent, the session may be erased. */
interface Withdrawal {
  readonly email: string
  readonly name: string | null
  readonly locale: string
  readonly schedule: NonNullable<SessionRow['schedule']>
  readonly sequence: number
}

const contextOf = (orgId: string, id: string): string => `calendar withdrawal:${orgId}:${id}`

/**
 * Notes that a message with an appointment goes out, before it does: who ends the session or the invitation from then on
 * has the calendar told. False where one of them has ended, so that the message must not go out.
 */
export const admitAsking = (
  call: JobCall,
  {
    sessionId,
    invitationId,
    mailJob,
  }: { readonly sessionId: string; readonly invitationId: string; readonly mailJob: string },
): Promise<boolean> =>
  call.db.transact(async (tx) => {
    const session = await lockSession({ tx, reader: tx, scope: call.scope }, sessionId)
    if (session.state === 'ended' || session.erasedAt !== null) return false
    return markAsked(tx, call.scope, { id: invitationId, mailJob })
  })

/** What stands in calendars, cancelled or not; undefined where that is over, or the interview took place. */
const standing = ({ startedAt }: SessionRow, { schedule, cancelled }: Appointment, now: number) => {
  const held = schedule ?? cancelled
  if (held === null || startedAt !== null) return undefined
  return Date.parse(held.startsAt) + held.durationMinutes * 60_000 > now ? held : undefined
}

type Withdraws = Writes & Needs<'clock' | 'jobs' | 'keyring'>

/**
 * Has the appointment taken out of the calendars that were asked to keep it: of one invitation, or of all of a session. The
 * session is locked. To be called before anything of the invitation is forgotten.
 */
export const withdrawFromCalendars = async (
  call: Withdraws,
  { sessionId, invitationId }: { readonly sessionId: string; readonly invitationId?: string },
): Promise<void> => {
  const { tx, scope, keyring } = call
  const asked = (await listAsked(tx, scope, sessionId)).filter(
    ({ id }) => invitationId === undefined || id === invitationId,
  )
  if (asked.length === 0) return
  const now = call.clock.now()
  const session = await getSession(call, sessionId)
  const schedule = standing(session, await readAppointment(call, session), now)
  if (schedule === undefined) return
  const sequence = await recordWithdrawal(call, { sessionId, now })
  for (const { id, email, name, locale } of asked) {
    const withdrawal: Withdrawal = { email, name, locale, schedule, sequence }
    const sealed = keyring.wrap(Buffer.from(JSON.stringify(withdrawal), 'utf8'), contextOf(scope.orgId, id))
    await saveWithdrawal(tx, scope, id, sealed)
    await call.jobs.enqueue(call, { kind: 'invitation.calendar_withdrawal', payload: { sessionId, invitationId: id } })
  }
}

interface SendWithdrawalInput {
  readonly sessionId: string
  readonly invitationId: string
  /** Of the job, and whether it is not tried again. */
  readonly id: string
  readonly isLast: boolean
}

/** Sends the message that takes an appointment out of a calendar; what it says is forgotten with that. */
export const sendWithdrawal = async (
  call: JobCall,
  { sessionId, invitationId, id, isLast }: SendWithdrawalInput,
): Promise<void> => {
  const { orgId, environment } = call.scope
  const asked = await listAsked(call.reader, call.scope, sessionId, 'withdrawn')
  const found = asked.find((one) => one.id === invitationId)
  if (found === undefined || found.withdrawal === null) return
  const { withdrawal: sealed, invitedBy: userId } = found
  const text = call.keyring.unwrap(sealed, contextOf(orgId, invitationId)).toString('utf8')
  const { email, name, locale, schedule, sequence } = JSON.parse(text) as Withdrawal
  const forget = () => call.db.transact((tx) => forgetWithdrawal(tx, call.scope, invitationId, sealed))
  const brand = await mailBrandOf(call, { orgId })
  const appointment = { schedule: null, cancelledAt: null, cancelled: schedule, sequence, changedAt: call.clock.now() }
  const calendar = calendarPart(
    call,
    { sessionId, orgName: brand.name, appointment, organizer: await organizerOf(call, { orgId, userId }) },
    calendarWordsOf(locale, { orgName: brand.name, schedule }),
    { name: name ?? email, address: email },
  )
  const replyTo = await memberAddress(call, { orgId, userId })
  try {
    await call.mail.send({
      id,
      to: [email],
      replyTo,
      calendar,
      ...withdrawalOf({ environment, locale, brand, name, schedule }),
    })
  } catch (error) {
    if (isLast || error instanceof MailRefused) await forget()
    throw error
  }
  await forget()
}
