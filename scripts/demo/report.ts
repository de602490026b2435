import type { Reply } from '../../shared-protocol/client/src/calls.ts'
import { mebibytes, table } from './say.ts'
import type { DemoService } from './service.ts'

type ReportOf<T> = T extends Reply<infer R> ? R : never
const readReport = async ({ api }: DemoService, sessionId: string) =>
  api.call('sessions.report', { params: { id: sessionId } })

export type SessionReport = ReportOf<Awaited<ReturnType<typeof readReport>>>

/** The report of a session as the integrator reads it. */
export const fetchReport = async (service: DemoService, sessionId: string): Promise<SessionReport> =>
  (await readReport(service, sessionId)).data

const clock = (iso: string): string => iso.slice(11, 21)

const coverageRows = ({ coverage }: SessionReport): string[][] =>
  coverage.flatMap((lane) => {
    const head = [lane.lane, `${lane.expected} s`, `${lane.observed} s`, String(lane.objects)]
    const gaps = lane.gaps.map(
      (gap) =>
        `${gap.reason} ${gap.seconds} s (${clock(gap.fromAt)} to ${clock(gap.toAt)}${gap.displayId ? `, ${gap.displayId}` : ''})`,
    )
    if (lane.declined) return [[...head, 'declined']]
    return [[...head, gaps[0] ?? 'no gap'], ...gaps.slice(1).map((gap) => ['', '', '', '', gap])]
  })

/** The report as tables of text. */
export const reportText = (report: SessionReport): string => {
  const inventory = report.inventory.map((row) => [row.evidenceType, String(row.objects), mebibytes(row.sizeBytes)])
  const signals = Object.entries(report.signalsByKind).map(([kind, count]) => [kind, String(count)])
  const able = report.capabilities.map(({ observer, status, why }) => [observer, status, why ?? ''])
  return [
    `Session ${report.sessionId}: ${(report.durationMs / 1000).toFixed(1)} s, report ${report.status}`,
    'Evidence',
    table(['type', 'objects', 'size'], inventory),
    `Signals (${report.signalTotal})`,
    table(['kind', 'count'], signals),
    'Coverage: seconds expected against seconds observed, and every gap with its reason',
    table(['lane', 'expected', 'observed', 'objects', 'gaps'], coverageRows(report)),
    'What this machine could observe (so that "no event" is not read as "nothing happened")',
    table(['observer', 'status', 'why'], able),
  ].join('\n\n')
}
