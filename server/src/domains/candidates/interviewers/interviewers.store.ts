import type { Scope } from '../../../kernel/identity/scope.ts'
import type { Reader, Tx } from '../../../platform/db/types.ts'
import type { InterviewerRow } from './interviewers.types.ts'

type Raw = Omit<InterviewerRow, 'addedBy'> & {
  readonly addedKind: string
  readonly addedId: string
  readonly addedLabel: string | null
}

const columns = `interviewer_id AS id, session_id AS "sessionId", email, name, locale, added_kind AS "addedKind",
  added_id AS "addedId", added_label AS "addedLabel", link_id AS "linkId", mail_kind AS "mailKind", mail_job AS "mailJob",
  created_at AS "createdAt", sent_at AS "sentAt", refused_at AS "refusedAt", mailed_at AS "mailedAt",
  calendar_at AS "calendarAt", opened_at AS "openedAt", removed_at AS "removedAt"`

const fromRaw = ({ addedKind, addedId, addedLabel, ...row }: Raw): InterviewerRow => ({
  ...row,
  addedBy: { kind: addedKind, id: addedId, label: addedLabel },
})

/** Who speaks in it, in the order in which they were added, without those who were taken off; there are never more than `interviewersPerSession`. */
export const listInterviewers = async (reader: Reader, scope: Scope, sessionId: string): Promise<InterviewerRow[]> => {
  const rows = await reader.all<Raw>(
    `SELECT ${columns} FROM interviewers WHERE org_id = ? AND environment = ? AND session_id = ? AND removed_at IS NULL
     ORDER BY created_at, interviewer_id`,
    [scope.orgId, scope.environment, sessionId],
  )
  return rows.map(fromRaw)
}

export const findInterviewer = async (
  reader: Reader,
  scope: Scope,
  id: string,
): Promise<InterviewerRow | undefined> => {
  const raw = await reader.get<Raw>(
    `SELECT ${columns} FROM interviewers WHERE org_id = ? AND environment = ? AND interviewer_id = ?`,
    [scope.orgId, scope.environment, id],
  )
  return raw && fromRaw(raw)
}

export type NewInterviewer = Pick<
  InterviewerRow,
  'id' | 'sessionId' | 'email' | 'name' | 'locale' | 'addedBy' | 'createdAt'
>

export const insertInterviewer = async (tx: Tx, scope: Scope, row: NewInterviewer): Promise<void> => {
  const { kind, id, label } = row.addedBy
  await tx.run(
    `INSERT INTO interviewers (org_id, interviewer_id, environment, session_id, email, name, locale, added_kind, added_id,
       added_label, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    [
      ...[scope.orgId, row.id, scope.environment, row.sessionId, row.email, row.name, row.locale],
      ...[kind, id, label, row.createdAt],
    ],
  )
}

const updatable = {
  email: 'email',
  name: 'name',
  locale: 'locale',
  linkId: 'link_id',
  mailKind: 'mail_kind',
  mailJob: 'mail_job',
  sentAt: 'sent_at',
  refusedAt: 'refused_at',
  mailedAt: 'mailed_at',
  calendarAt: 'calendar_at',
  openedAt: 'opened_at',
  removedAt: 'removed_at',
} as const
export type InterviewerChanges = { readonly [K in keyof typeof updatable]?: string | number | null }

export const updateInterviewer = async (
  tx: Tx,
  scope: Scope,
  id: string,
  changes: InterviewerChanges,
): Promise<void> => {
  const names = Object.keys(changes) as (keyof InterviewerChanges)[]
  const set = names.map((name) => `${updatable[name]} = ?`).join(', ')
  await tx.run(`UPDATE interviewers SET ${set} WHERE org_id = ? AND environment = ? AND interviewer_id = ?`, [
    ...names.map((name) => changes[name] ?? null),
    ...[scope.orgId, scope.environment, id],
  ])
}

interface Sent {
  readonly id: string
  readonly mailJob: string
  /** Whether the message says that their voice is recorded, and whether its appointment does. */
  readonly tells: { readonly mail: boolean; readonly calendar: boolean }
}

/** Notes that the mail server took the newest message. @returns false where a newer one waits, or this was known */
export const markSent = async (tx: Tx, scope: Scope, { id, mailJob, tells }: Sent, now: number): Promise<boolean> => {
  const { changes } = await tx.run(
    `UPDATE interviewers SET sent_at = ?, mailed_at = coalesce(mailed_at, ?), calendar_at = coalesce(calendar_at, ?)
     WHERE org_id = ? AND environment = ? AND interviewer_id = ? AND mail_job = ? AND sent_at IS NULL`,
    [...[now, tells.mail ? now : null, tells.calendar ? now : null], ...[scope.orgId, scope.environment, id, mailJob]],
  )
  return changes > 0
}

/** Notes that the mail server refuses the newest message for good. */
export const markRefused = async (
  tx: Tx,
  scope: Scope,
  { id, mailJob }: Pick<Sent, 'id' | 'mailJob'>,
  now: number,
): Promise<void> => {
  await tx.run(
    `UPDATE interviewers SET refused_at = ?
     WHERE org_id = ? AND environment = ? AND interviewer_id = ? AND mail_job = ? AND sent_at IS NULL`,
    [now, scope.orgId, scope.environment, id, mailJob],
  )
}

export const deleteInterviewers = async (tx: Tx, scope: Scope, sessionId: string): Promise<void> => {
  await tx.run('DELETE FROM interviewers WHERE org_id = ? AND environment = ? AND session_id = ?', [
    ...[scope.orgId, scope.environment, sessionId],
  ])
}
