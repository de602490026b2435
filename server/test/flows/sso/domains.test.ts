import { domainGraceDays, maxSsoDomains } from '@integrity/protocol'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { takeVerified } from '../../../src/domains/access/sso/domains.store.ts'
import { lookForProofsAgain } from '../../../src/domains/access/sso/proofs.service.ts'
import { readOutbox } from '../../test-support/mail.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'
import { asOwner, configureSaml, ssoDomain, verifyDomain } from '../../test-support/sso.ts'

let server: TestServer
let ask: Awaited<ReturnType<typeof asOwner>>
beforeAll(async () => {
  const none = Object.assign(new Error('no such name'), { code: 'ENOTFOUND' })
  server = await startServer({ overrides: { txtRecords: () => Promise.reject(none) } })
  ask = await asOwner(server, server.orgs[0].orgId)
})
afterAll(() => server.stop())

it('lets an organisation claim as many domains as the ceiling says, and not one more', async () => {
  const claim = async (n: number) => {
    const { status, body } = await ask('POST', '/domains', { domain: `claimed${n}.example` })
    return body.error?.reason ?? status
  }
  const answers = []
  for (let n = 1; n <= maxSsoDomains; n++) answers.push(await claim(n))
  expect(new Set(answers)).toEqual(new Set([201]))
  expect(await claim(maxSsoDomains + 1)).toBe('too_many')
  // One that is claimed already is no further one.
  expect(await claim(maxSsoDomains)).toBe(201)
  await ask('DELETE', '/domains/claimed1.example')
  expect(await claim(maxSsoDomains + 1)).toBe(201)
})

it('looks at every proof though one could not be looked at, which is tried again', async () => {
  const { app } = server
  const [{ orgId }] = server.orgs
  for (const name of ['one', 'two', 'three']) await verifyDomain(server, orgId, `${name}.example`)
  server.clock.advance(86_400_000)
  const missing = () =>
    app.db.reader.all('SELECT domain FROM sso_verified_domains WHERE missing_since IS NOT NULL ORDER BY domain')
  let looks = 0
  const transact: typeof app.db.transact = (work) => {
    looks += 1
    return looks === 1 ? Promise.reject(new Error('planted')) : app.db.transact(work)
  }
  await lookForProofsAgain({ ...app, db: { ...app.db, reader: app.db.reader, transact } })
  expect(await missing()).toEqual([{ domain: 'three.example' }, { domain: 'two.example' }])
  expect(server.logLines.filter((line) => line.includes('could not be looked at'))).toHaveLength(1)
  await lookForProofsAgain(app)
  expect(await missing()).toHaveLength(3)
})

it('leaves what was vouched for by a domain that was proved anew meanwhile', async () => {
  const { app } = server
  const [{ orgId }] = server.orgs
  await verifyDomain(server, orgId, 'anew.example')
  const payload = { domain: 'anew.example', why: 'missing' } as const
  const scope = { orgId, environment: 'live' } as const
  await app.db.transact((tx) => app.jobs.enqueue({ tx, scope }, { kind: 'sso.end_vouching', payload }))
  await server.processAll()
  const letters = (await readOutbox(server)).filter(({ subject }) => subject.includes('anew.example'))
  expect(letters).toEqual([])
})

it('keeps the last verified domain while single sign-on is required, whatever is only claimed besides', async () => {
  const [, { orgId }] = server.orgs
  const askOther = await asOwner(server, orgId)
  await configureSaml({ server, scope: { orgId, environment: 'live' } })
  expect((await askOther('POST', '/domains', { domain: 'only-claimed.example' })).status).toBe(201)
  const require = (required: number) =>
    server.app.db.transact((tx) =>
      tx.run('UPDATE sso_connections SET required = ? WHERE org_id = ?', [required, orgId]),
    )
  await require(1)
  const refused = await askOther('DELETE', `/domains/${ssoDomain}`)
  expect([refused.status, refused.body.error.reason]).toEqual([409, 'required'])
  expect((await askOther('DELETE', '/domains/only-claimed.example')).status).toBe(200)
  await require(0)
  expect((await askOther('DELETE', `/domains/${ssoDomain}`)).status).toBe(200)
})

it('counts the days of a missing proof on while no name server answers', async () => {
  const { app } = server
  const [, { orgId }] = server.orgs
  await verifyDomain(server, orgId, 'waiting.example')
  const fails = (code: string) => ({
    ...app,
    txtRecords: () => Promise.reject(Object.assign(new Error(code), { code })),
  })
  const since = async () =>
    await app.db.reader.all<{ since: number | null }>(
      "SELECT missing_since AS since FROM sso_verified_domains WHERE domain = 'waiting.example'",
    )
  const day = 86_400_000
  server.clock.advance(day)
  await lookForProofsAgain(fails('ENOTFOUND'))
  const begun = await since()
  expect(begun).toEqual([{ since: server.clock.now() }])
  for (let n = 1; n < domainGraceDays; n++) {
    server.clock.advance(day)
    await lookForProofsAgain(fails(n % 2 === 1 ? 'ESERVFAIL' : 'ENOTFOUND'))
    expect(await since()).toEqual(begun)
  }
  server.clock.advance(day - 1)
  await lookForProofsAgain(fails('ENOTFOUND'))
  expect(await since()).toEqual(begun)
  const told = await app.db.reader.all(
    "SELECT seq FROM audit_log WHERE org_id = ? AND action = 'sso.domain_missing' AND target = 'waiting.example'",
    [orgId],
  )
  expect(told).toHaveLength(1)
  server.clock.advance(day)
  await lookForProofsAgain(fails('ENOTFOUND'))
  expect(await since()).toEqual([])
})

it('goes to one of two organisations that prove it at the same moment', async () => {
  const { app, clock, orgs } = server
  const [first, second] = orgs
  await verifyDomain(server, first.orgId, 'wanted.example')
  expect((await (await asOwner(server, second.orgId))('POST', '/domains', { domain: 'wanted.example' })).status).toBe(
    201,
  )
  const take = (orgId: string) =>
    app.db.transact((tx) => takeVerified(tx, orgId, { domain: 'wanted.example', from: first.orgId, now: clock.now() }))
  expect(await take(second.orgId)).toBe(true)
  expect(await take('org_third')).toBe(false)
  const owner = "SELECT org_id AS id FROM sso_verified_domains WHERE domain = 'wanted.example'"
  expect(await app.db.reader.all(owner)).toEqual([{ id: second.orgId }])
})
