import type { Environment } from '../../../src/kernel/identity/scope.ts'
import { buildCaptureSession, type CaptureSession, sendStill } from '../../test-support/capture-session.ts'
import { givePlan } from '../../test-support/payments.ts'
import type { TestServer } from '../../test-support/server.ts'
import { asMember } from '../candidate-requests/candidate-requests.test-support.ts'

export const dayMs = 86_400_000

/** What an owner does with the retention of the first organisation. */
export const retentionOf = (server: TestServer) => {
  const { orgId } = server.orgs[0]
  const params = { orgId }
  return {
    get: () => asMember(server, 'portal.retention.get', { params }),
    put: (defaultDays: number) => asMember(server, 'portal.retention.put', { params, body: { defaultDays } }),
    holdOrg: (on: boolean, reason?: string) =>
      asMember(server, 'portal.retention.hold', { params, body: { on, ...(reason !== undefined && { reason }) } }),
    hold: (sessionId: string, on: boolean, reason?: string) =>
      asMember(server, 'portal.retention.sessions.hold', {
        params: { orgId, sessionId },
        body: { on, ...(reason !== undefined && { reason }) },
      }),
    preview: (query: { days?: number; limit?: number; offset?: number; cursor?: string } = {}) =>
      asMember(server, 'portal.retention.preview', { params, query }),
    run: (body: { maxObjects?: number } = {}) => asMember(server, 'portal.retention.run', { params, body }),
    sweep: () => asMember(server, 'portal.retention.sweep', { params }),
  }
}

/** As a plan would: the first organisation may keep nothing longer. */
export const setCeiling = (server: TestServer, days: number | null) =>
  givePlan(server, server.orgs[0].orgId, days === null ? 'free' : 'enterprise', days)

export interface Ending {
  readonly retentionDays?: number
  readonly environment?: Environment
  readonly stills?: number
}

/** A session of the first organisation that was told so many days, captured something and has just ended. */
export const endedSession = async (
  server: TestServer,
  { retentionDays, environment = 'live', stills = 1 }: Ending = {},
): Promise<CaptureSession> => {
  const config = retentionDays === undefined ? {} : { retentionDays }
  const session = await buildCaptureSession(server, { environment, config })
  for (let n = 0; n < stills; n++) await sendStill(server, session)
  await session.api.call('sessions.end', { params: { id: session.id } })
  return session
}

/** Objects of a session that can still be opened. */
export const keptObjects = async (server: TestServer, sessionId: string): Promise<number> => {
  const row = await server.app.db.reader.get<{ n: number }>(
    `SELECT count(*) AS n FROM evidence e JOIN objects o ON o.org_id = e.org_id AND o.object_id = e.object_id
     WHERE e.session_id = ? AND e.erased_at IS NULL AND o.header IS NOT NULL`,
    [sessionId],
  )
  return row?.n ?? 0
}
