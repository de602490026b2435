/** What whoever sees to an organisation's retention is told. */
export interface DueCounts {
  /** Interviews that are due within a week or overdue. */
  readonly soon: number
  readonly overdue: number
  readonly overdueObjects: number
}

const interviews = (n: number): string => (n === 1 ? '1 interview' : `${n} interviews`)

export const dueLetter = (
  orgId: string,
  { soon, overdue, overdueObjects }: DueCounts,
): { subject: string; text: string } => ({
  subject:
    overdue > 0
      ? `${interviews(overdue)} past ${overdue === 1 ? 'its' : 'their'} retention window`
      : `${interviews(soon)} ${soon === 1 ? 'is' : 'are'} due to be deleted within a week`,
  text: `${
    overdue > 0
      ? `The recordings of ${interviews(overdue)} (${overdueObjects} objects) are past the retention window in force: what the candidate was told, or the\norganisation's or the plan's window where that is shorter.\n`
      : ''
  }Due within a week, overdue ones included: ${interviews(soon)}.

Nothing is deleted by itself. To delete what is due, run the retention sweep of your organisation ${orgId}, or ask whoever operates the
service to run: admin retention run --org ${orgId}. To keep an interview for a legal reason, place a legal hold on it.

You get this message once a week while something is due.
`,
})
