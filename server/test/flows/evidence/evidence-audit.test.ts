import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { enginesInTurn } from '../../test-support/engines.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'
import { newPicture, register, scheduleSession, stillFor } from '../../test-support/world.ts'

for (const engine of enginesInTurn(import.meta.filename))
  describe(`evidence in the audit log (${engine})`, () => {
    let server: TestServer
    beforeAll(async () => {
      server = await startServer({ engine })
    })
    afterAll(() => server.stop())

    it('is named once for each item that is stored, and not again when the item comes again', async () => {
      const session = await scheduleSession(server.client(server.orgs[0].sandboxKey))
      await register(server, session)
      const picture = await newPicture()
      const body = { ...stillFor(server, picture), data: picture.toString('base64') }
      const upload = () =>
        server.client(session.agent).call('agent.screenshots.upload', { params: { id: session.id }, body })
      const { data } = await upload()
      await upload()
      const rows = await server.app.db.reader.all(
        "SELECT target FROM audit_log WHERE action = 'evidence.stored' AND session_id = ?",
        [session.id],
      )
      expect(rows).toEqual([{ target: data.id }])
    })
  })
