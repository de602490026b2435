import { mailsPerMailbox } from '@integrity/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { mayMail } from '../../../src/kernel/attempts/mail-ceilings.ts'
import { enginesInTurn } from '../../test-support/engines.ts'
import { scimTokenOf } from '../../test-support/scim.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'

for (const engine of enginesInTurn(import.meta.filename))
  describe(`the messages of provisioning (${engine})`, () => {
    let server: TestServer
    beforeAll(async () => {
      server = await startServer({ engine })
    })
    afterAll(() => server.stop())

    it('stay within what a mailbox is sent in an hour; the member is made all the same', async () => {
      const [{ orgId }] = server.orgs
      const provision = async (userName: string) => {
        const made = await fetch(`${server.url}/scim/v2/Users`, {
          method: 'POST',
          headers: {
            authorization: `Bearer ${await scimTokenOf(server, orgId)}`,
            'content-type': 'application/scim+json',
          },
          body: JSON.stringify({ userName }),
        })
        expect(made.status).toBe(201)
        return ((await made.json()) as { id: string }).id
      }
      const told = async (id: string) => {
        const jobs = `SELECT state FROM jobs WHERE kind = 'member.added' AND payload LIKE ?`
        return (await server.app.db.reader.all(jobs, [`%${id}%`])).length
      }
      const email = 'full.mailbox@example.org'
      const { app } = server
      for (let n = 0; n < mailsPerMailbox; n++)
        expect(await app.db.transact((tx) => mayMail({ ...app, tx }, { orgId: 'org_else', email }))).toBe(true)
      expect(await told(await provision(email))).toBe(0)
      expect(await told(await provision('empty.mailbox@example.org'))).toBe(1)
    })
  })
