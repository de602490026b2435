import type { Needs, Writes } from '../../../kernel/call.ts'
import type { SessionRow } from '../../interviews/sessions/sessions.types.ts'
import { issueLink, wrapLink } from '../links/links.service.ts'
import { linkExpiresAt } from './interviewers.policy.ts'
import { listInterviewers, updateInterviewer } from './interviewers.store.ts'
import type { InterviewerRow } from './interviewers.types.ts'

/** What a message is about: that they are recorded; an appointment set, moved, cancelled; that they were taken off. */
export const noticeKinds = ['told', 'set', 'moved', 'cancelled', 'removed'] as const
export type NoticeKind = (typeof noticeKinds)[number]

type Sends = Writes & Needs<'clock' | 'credentials' | 'jobs' | 'keyring' | 'newId'>

/** Who has not been told yet is told, whatever has become of the appointment meanwhile. */
const kindAfter = ({ mailedAt }: Pick<InterviewerRow, 'mailedAt'>, next: NoticeKind): NoticeKind =>
  mailedAt === null ? 'told' : next

interface SendNoticeInput {
  readonly interviewer: Pick<InterviewerRow, 'id' | 'mailedAt'>
  readonly session: Pick<SessionRow, 'id' | 'schedule' | 'config'>
  readonly notice: NoticeKind
  /** Of taking the appointment out of their calendar. */
  readonly sequence?: number | undefined
}

/** Has a message sent with a new link; the earlier ones end. The session is locked. */
export const sendNotice = async (
  call: Sends,
  { interviewer, session, notice: next, sequence }: SendNoticeInput,
): Promise<void> => {
  const { id } = interviewer
  const notice = kindAfter(interviewer, next)
  const expiresAt = linkExpiresAt(session, call.clock.now())
  const wanted = { kind: 'interviewer', sessionId: session.id, subjectId: id, expiresAt } as const
  const link = await issueLink(call, wanted)
  const payload = {
    sessionId: session.id,
    interviewerId: id,
    notice,
    linkId: link.id,
    wrapped: wrapLink(call, link),
    ...(sequence === undefined ? {} : { sequence }),
  }
  const mailJob = await call.jobs.enqueue(call, { kind: 'interviewer.message', payload })
  await updateInterviewer(call.tx, call.scope, id, {
    linkId: link.id,
    mailKind: notice,
    mailJob,
    sentAt: null,
    refusedAt: null,
  })
}

/** Tells every interviewer of a locked session that its appointment was set, moved or cancelled. */
export const sendNotices = async (
  call: Sends,
  {
    session,
    notice,
  }: { readonly session: Pick<SessionRow, 'id' | 'schedule' | 'config'>; readonly notice: NoticeKind },
): Promise<void> => {
  for (const interviewer of await listInterviewers(call.tx, call.scope, session.id))
    await sendNotice(call, { interviewer, session, notice })
}
