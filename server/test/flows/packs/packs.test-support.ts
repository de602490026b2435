import { auditCommands } from '../../../src/app/audit-commands.ts'
import { evidenceCommands } from '../../../src/app/evidence-commands.ts'
import type { CaptureSession } from '../../test-support/capture-session.ts'
import type { TestServer } from '../../test-support/server.ts'

interface Told {
  readonly sessionId?: string
  readonly fault?: string
  readonly record?: string
  readonly records?: { readonly findings: readonly Told[] }
}

/** What the operator's commands say of sessions. */
export const trailOf = (current: () => TestServer) => {
  const told = async (commands: typeof auditCommands, name: string, { orgId, id }: CaptureSession) => {
    const lines: string[] = []
    const print = (line: string) => void lines.push(line)
    const call = { app: current().app, env: {}, print, secret: async () => '' }
    await commands[name]!(call, ['--json', '--org', orgId])
    return lines
      .map((line) => JSON.parse(line) as Told)
      .flatMap((line) => line.records?.findings ?? [line])
      .filter(({ sessionId, fault }) => sessionId === id && fault !== undefined)
      .map(({ fault, record }) => `${fault} ${record ?? ''}`)
  }
  return {
    told,
    /** What `audit verify` and `evidence verify` find wrong with a session. */
    faults: async (s: CaptureSession) => [
      ...(await told(auditCommands, 'audit verify', s)),
      ...(await told(evidenceCommands, 'evidence verify', s)),
    ],
  }
}
