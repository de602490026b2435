import type { Scope } from '../../../src/kernel/identity/scope.ts'
import { buildCaptureSession, type CaptureOptions, type CaptureSession } from '../../test-support/capture-session.ts'
import type { TestServer } from '../../test-support/server.ts'

export const scopeOf = ({ orgId, environment }: CaptureSession): Scope => ({ orgId, environment })

/** Sessions with evidence, and how these suites read it. */
export const evidenceOf = (current: () => TestServer) => {
  const session = (options?: CaptureOptions) => buildCaptureSession(current(), options)
  const list = async ({ api, id }: CaptureSession, query = {}) =>
    (await api.call('sessions.evidence.list', { params: { id }, query })).data
  const download = async ({ api }: CaptureSession, id: string) => {
    const { data } = await api.call('evidence.downloadUrl', { params: { id } })
    // Links carry the configured address; the test server listens on a port of its own.
    return current().url + data.url.slice(current().app.config.baseUrl.length)
  }
  return { session, list, download }
}
