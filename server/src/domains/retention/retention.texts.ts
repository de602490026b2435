/** What whoever sees to an organisation's retention is told. */
export interface DueCounts {
  /** Interviews that are due within a week or overdue. */
  readonly soon: number
  readonly overdue: number
  readonly overdueObjects: number
}

const interviews = (n: number): string => (n === 1 ? '1 interview' : `${n} interviews`)

export const dueLetter = ({ soon, overdue, overdueObjects }: DueCounts): { subject: string; text: string } => ({
  subject:
    overdue > 0
      ? `${interviews(overdue)} should have been deleted`
      : `${interviews(soon)} ${soon === 1 ? 'is' : 'are'} due to be deleted within a week`,
  text: `${
    overdue > 0
      ? `The recordings of ${interviews(overdue)} (${overdueObjects} objects) are kept for longer than their candidates were told.\n`
      : ''
  }Due within a week, overdue ones included: ${interviews(soon)}.

Nothing is deleted by itself. To delete what is due: POST /v1/orgs/{orgId}/retention/run (permission retention.manage), or ask your
operator to run: admin retention run --org. To keep an interview for a reason of law, place a legal hold on it.

You get this message once a week while something is due.
`,
})
