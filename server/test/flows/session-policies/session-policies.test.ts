import { maxActivePolicies, maxPolicyVersions, sessionConfig } from '@integrity/protocol'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { everyEngine } from '../../test-support/engines.ts'
import { portalCookie } from '../../test-support/portal.ts'
import { refusalOf } from '../../test-support/refusal.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'
import { asMember } from '../candidate-requests/candidate-requests.test-support.ts'
import { auditOf, policiesOf } from './session-policies.test-support.ts'

for (const engine of everyEngine())
  describe(`integrity policies (${engine})`, () => {
    let server: TestServer
    let policies: ReturnType<typeof policiesOf>
    let api: ReturnType<TestServer['client']>

    beforeAll(async () => {
      server = await startServer({ engine })
      policies = policiesOf(server)
      api = server.client(server.orgs[0].sandboxKey)
    })
    beforeEach(() => server.clock.advance(60_000))
    afterAll(() => server.stop())

    const now = () => new Date(server.clock.now()).toISOString()
    const change = (sql: string, params: string[]) => server.app.db.transact((tx) => tx.run(sql, params))
    const sessionOf = async (body: object) => (await api.call('sessions.create', { body })).data
    const theirs = async (id: 'portal.policies.get', policyId: string) =>
      server.client().call(id, {
        params: { orgId: server.orgs[1].orgId, policyId },
        headers: await portalCookie(server, 'owner', server.orgs[1].orgId),
      })

    describe('portal.policies.create', () => {
      it('saves a complete config as version 1, with who wrote it', async () => {
        const saved = await policies.save({ name: '  First interviews ', description: 'Short.\nAnd kind.' })
        const config = sessionConfig.parse({ retentionDays: 30 })
        const createdBy = { kind: 'user', id: expect.stringMatching(/^usr_/), label: expect.stringContaining('@') }
        expect(saved).toEqual({
          id: expect.stringMatching(/^pol_/),
          name: 'First interviews',
          description: 'Short.\nAnd kind.',
          state: 'active',
          version: 1,
          nameVersion: 1,
          config,
          createdAt: now(),
          createdBy,
          updatedAt: now(),
          archivedAt: null,
        })
        const versions = [{ version: 1, config, createdAt: now(), createdBy }]
        expect(await policies.get(saved.id)).toEqual({ ...saved, versions })
        expect(await auditOf(server, saved.id)).toMatchObject([{ action: 'policy.created', actorKind: 'user' }])
      })

      it('refuses names and configs out of bounds, each by its path', async () => {
        const refused = async (fields: object) =>
          (await refusalOf(policies.save(fields))).details?.map(({ path }) => path)
        for (const name of ['', '  ', 'a\nb', 'a\u202eb', 'x'.repeat(101)])
          expect(await refused({ name })).toEqual(['name'])
        expect(await refused({ config: { retentionDays: 0 } })).toEqual(['config.retentionDays'])
        expect(await refused({ config: { colour: 'blue' } })).toEqual(['config.colour'])
        expect(await refused({ description: 'x'.repeat(2001) })).toEqual(['description'])
        expect(await refused({ description: 'a\u2066b' })).toEqual(['description'])
      })

      it('is for owners and admins; everybody who sees sessions reads', async () => {
        const { id } = await policies.save()
        const { orgId } = server.orgs[0]
        const params = { orgId }
        for (const role of ['owner', 'admin', 'interviewer', 'reviewer'] as const) {
          const body = { name: `By ${role}`, config: {} }
          const saving = asMember(server, 'portal.policies.create', { params, body }, role)
          if (role === 'owner' || role === 'admin') expect((await saving).version).toBe(1)
          else expect(await refusalOf(saving)).toMatchObject({ status: 403 })
          const read = await asMember(server, 'portal.policies.get', { params: { orgId, policyId: id } }, role)
          expect(read.id).toBe(id)
        }
      })
    })

    describe('portal.policies.list', () => {
      it('shows the active ones, newest first, and archived ones when asked', async () => {
        const first = await policies.save({ name: 'Listed first' })
        server.clock.advance(1000)
        const second = await policies.save({ name: 'Listed second' })
        const gone = await policies.save({ name: 'Listed and archived' })
        await policies.archive(gone.id)
        const active = await policies.list()
        const ids = active.items.map(({ id }) => id)
        expect(ids.slice(0, 2)).toEqual([second.id, first.id])
        expect(ids).not.toContain(gone.id)
        const archived = await policies.list({ state: 'archived' })
        expect(archived.items.map(({ state }) => state)).toEqual(archived.items.map(() => 'archived'))
        expect(archived.items.map(({ id }) => id)).toContain(gone.id)
        const all = await policies.list({ state: 'all' })
        expect(all.total).toBe(active.total + archived.total)
        expect(all.items.slice(0, 3).map(({ id }) => id)).toContain(gone.id)
      })

      it('shows nothing of another organisation', async () => {
        const { orgId } = server.orgs[1]
        const headers = await portalCookie(server, 'owner', orgId)
        const { data } = await server.client().call('portal.policies.list', { params: { orgId }, headers })
        expect(data).toMatchObject({ items: [], total: 0 })
      })
    })

    describe('portal.policies.get', () => {
      it('has every version, newest first', async () => {
        const { id } = await policies.save()
        await policies.write(id, { retentionDays: 40 })
        await policies.write(id, { capture: { quality: 50 } })
        const { versions, ...policy } = await policies.get(id)
        expect(policy).toMatchObject({ version: 3, config: sessionConfig.parse({ capture: { quality: 50 } }) })
        expect(versions.map(({ version, config }) => [version, config.retentionDays])).toEqual([
          [3, 90],
          [2, 40],
          [1, 30],
        ])
      })

      it("does not find another organisation's", async () => {
        const { id } = await policies.save()
        expect(await refusalOf(theirs('portal.policies.get', id))).toMatchObject({ status: 404, code: 'not_found' })
        expect(await refusalOf(policies.get('pol_nobody'))).toMatchObject({ status: 404 })
      })
    })

    describe('portal.policies.patch', () => {
      it('renames and describes anew, and changes no version', async () => {
        const saved = await policies.save({ description: 'Old.' })
        server.clock.advance(1000)
        const renamed = await policies.patch(saved.id, { name: 'Second interviews' })
        expect(renamed).toEqual({ ...saved, name: 'Second interviews', nameVersion: 2, updatedAt: now() })
        const bare = await policies.patch(saved.id, { description: null })
        expect(bare).toEqual({ ...renamed, description: null, nameVersion: 3 })
        server.clock.advance(1000)
        expect(await policies.patch(saved.id, { name: 'Second interviews' })).toEqual(bare)
        expect((await policies.get(saved.id)).versions.length).toBe(1)
        const config = { retentionDays: 1 } as never
        expect(await refusalOf(policies.patch(saved.id, { config } as object))).toMatchObject({ status: 400 })
      })
    })

    describe('portal.policies.versions.create', () => {
      it('lets one of 20 writers of the same next version win', async () => {
        const { id } = await policies.save()
        const writers = Array.from({ length: 20 }, (_, n) => policies.write(id, { retentionDays: 100 + n }, 1))
        const outcomes = await Promise.allSettled(writers)
        const won = outcomes.filter((outcome) => outcome.status === 'fulfilled').map(({ value }) => value)
        const lost = outcomes.filter((outcome) => outcome.status === 'rejected').map(({ reason }) => reason as Error)
        expect(won.map(({ version }) => version)).toEqual([2])
        expect(lost.map((error) => error.message.slice(0, 25))).toEqual(lost.map(() => 'the latest version is 2, '))
        for (const error of lost) expect(error).toMatchObject({ status: 409, code: 'conflict' })
        const { versions } = await policies.get(id)
        expect(versions.map(({ version }) => version)).toEqual([2, 1])
        expect(versions[0]?.config).toEqual(won[0]?.config)
      })

      it('gives writers that expect nothing a version each', async () => {
        const { id } = await policies.save()
        const written = await Promise.all(
          Array.from({ length: 20 }, (_, n) => policies.write(id, { retentionDays: 1 + n })),
        )
        const versions = written.map(({ version }) => version).toSorted((a, b) => a - b)
        expect(versions).toEqual(Array.from({ length: 20 }, (_, n) => n + 2))
      })

      it('is complete: what it leaves out is as by default, not as before', async () => {
        const { id } = await policies.save({ config: { retentionDays: 30, sideView: { enabled: true } } })
        const { config } = await policies.write(id, { 'side-view': { recording: true } })
        expect(config).toEqual(sessionConfig.parse({ sideView: { recording: true } }))
      })

      it(`stops at ${maxPolicyVersions} versions, and a duplicate goes on`, async () => {
        const { id } = await policies.save()
        await change('UPDATE session_policies SET version = 99 WHERE policy_id = ?', [id])
        await change(
          `INSERT INTO session_policy_versions SELECT org_id, policy_id, 99, config, created_at, created_by_kind,
             created_by_id, created_by_label FROM session_policy_versions WHERE policy_id = ?`,
          [id],
        )
        expect((await policies.write(id, {})).version).toBe(maxPolicyVersions)
        expect(await refusalOf(policies.write(id, {}))).toMatchObject({
          status: 409,
          message: expect.stringMatching(/duplicate/),
        })
        expect((await policies.duplicate(id)).version).toBe(1)
      })
    })

    describe('a version', () => {
      it('is changed, deleted and replaced by nobody, on the database itself', async () => {
        const { id } = await policies.save()
        const before = await policies.get(id)
        const attempts = [
          "UPDATE session_policy_versions SET config = '{}' WHERE policy_id = ?",
          'DELETE FROM session_policy_versions WHERE policy_id = ?',
          ...(engine === 'sqlite'
            ? [
                `INSERT OR REPLACE INTO session_policy_versions SELECT org_id, policy_id, version, '{}', created_at,
                   created_by_kind, created_by_id, created_by_label FROM session_policy_versions WHERE policy_id = ?`,
              ]
            : []),
        ]
        for (const sql of attempts) await expect(change(sql, [id]), sql).rejects.toThrow(/append-only/)
        expect(await policies.get(id)).toEqual(before)
      })
    })

    describe('portal.policies.duplicate', () => {
      it('copies the latest version as version 1 of its own', async () => {
        const { id } = await policies.save({ name: 'x'.repeat(100), description: 'Why.' })
        const { config } = await policies.write(id, { retentionDays: 7 })
        const copy = await policies.duplicate(id)
        expect(copy).toMatchObject({ version: 1, config, description: 'Why.', name: `${'x'.repeat(93)} (copy)` })
        await policies.write(copy.id, { retentionDays: 8 })
        expect((await policies.get(id)).config).toEqual(config)
        expect((await policies.duplicate(id, { name: 'Mine' })).name).toBe('Mine')
        const [made] = await auditOf(server, copy.id)
        expect(JSON.parse(made?.payload ?? '')).toMatchObject({ copiedFrom: { policyId: id, version: 2 } })
      })

      it('brings an archived one back under another id', async () => {
        const { id } = await policies.save()
        await policies.archive(id)
        expect(await policies.duplicate(id)).toMatchObject({ state: 'active', archivedAt: null })
      })
    })

    describe('portal.policies.archive', () => {
      it('archives once, keeps the versions, and nothing of it changes any more', async () => {
        const { id } = await policies.save()
        const archived = await policies.archive(id, { reason: 'Replaced.' })
        expect(archived).toMatchObject({ state: 'archived', archivedAt: now() })
        server.clock.advance(1000)
        expect(await policies.archive(id)).toEqual(archived)
        expect((await policies.get(id)).versions.length).toBe(1)
        expect(await refusalOf(policies.patch(id, { name: 'Other' }))).toMatchObject({
          status: 409,
          message: expect.stringMatching(/archived/),
        })
        expect(await refusalOf(policies.write(id, {}))).toMatchObject({
          status: 409,
          message: expect.stringMatching(/archived/),
        })
        const actions = await auditOf(server, id)
        expect(actions.map(({ action }) => action)).toEqual(['policy.created', 'policy.archived', 'policy.archived'])
      })

      it(`makes room where there are ${maxActivePolicies} active ones`, async () => {
        const { total, items } = await policies.list()
        const [one] = items
        await change(
          `INSERT INTO session_policies WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n
             WHERE i < ${maxActivePolicies - total})
           SELECT org_id, 'pol_fill' || i, 'Fill', NULL, 'active', 1, 0, created_by_kind, created_by_id, NULL, 0, NULL, 1
           FROM session_policies CROSS JOIN n WHERE policy_id = ?`,
          [one?.id ?? ''],
        )
        const racing = await Promise.allSettled([policies.save(), policies.duplicate(one?.id ?? '')])
        expect(racing.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
        await policies.archive(one?.id ?? '')
        const again = await Promise.allSettled([policies.save(), policies.save(), policies.save()])
        expect(again.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected', 'rejected'])
        await change("UPDATE session_policies SET state = 'archived', archived_at = 0 WHERE name = ?", ['Fill'])
      })
    })

    describe('a session made with a policy', () => {
      it('keeps its id, its version and what it said; what the request names goes on top', async () => {
        const { id } = await policies.save({ config: { retentionDays: 30, capture: { quality: 50 } } })
        await policies.write(id, { retentionDays: 31, capture: { quality: 51 }, requiredApps: ['Editor'] })
        const made = await sessionOf({ policyId: id, config: { capture: { screenshotIntervalSeconds: 5 } } })
        const config = sessionConfig.parse({
          retentionDays: 31,
          capture: { quality: 51, screenshotIntervalSeconds: 5 },
          requiredApps: ['Editor'],
        })
        expect(made).toMatchObject({ policyId: id, policy: { id, version: 2 }, policyVersion: 2, config })
        await policies.write(id, { retentionDays: 99 })
        await policies.archive(id)
        const params = { id: made.id }
        expect((await api.call('sessions.get', { params })).data).toMatchObject({ policy: { id, version: 2 }, config })
        const { data } = await api.call('sessions.patch', { params, body: { capture: { quality: 60 } } })
        expect(data).toMatchObject({ policyId: id, policy: { id, version: 2 }, policyVersion: 3 })
        const [created] = await auditOf(server, made.id)
        expect(JSON.parse(created?.payload ?? '')).toMatchObject({ policy: { id, version: 2 } })
      })

      it('is not made with one that is archived, of another organisation, or not there', async () => {
        const { id } = await policies.save()
        const other = server.client(server.orgs[1].sandboxKey)
        const at = { status: 400, details: [{ path: 'policyId' }] }
        expect(await refusalOf(other.call('sessions.create', { body: { policyId: id } }))).toMatchObject(at)
        expect(await refusalOf(sessionOf({ policyId: 'pol_nobody' }))).toMatchObject(at)
        await policies.archive(id)
        const count = async () => (await api.call('sessions.list', { query: { limit: 1 } })).data.total
        const before = await count()
        expect(await refusalOf(sessionOf({ policyId: id }))).toMatchObject({
          status: 409,
          message: expect.stringMatching(/archived/),
        })
        expect(await count()).toBe(before)
      })

      it('is not made with one after it was archived, however close', async () => {
        const { id } = await policies.save()
        const making = Array.from({ length: 20 }, () => sessionOf({ policyId: id }))
        const [made] = await Promise.all([Promise.allSettled(making), policies.archive(id)])
        for (const outcome of made)
          if (outcome.status === 'rejected')
            expect(outcome.reason).toMatchObject({ status: 409, message: expect.stringMatching(/archived/) })
        // Both wait at the head of the audit chain, whose order is that of the commits.
        const rows = await server.app.db.reader.all<{ action: string }>(
          `SELECT l.action FROM audit_log l WHERE l.target = ? AND l.action = 'policy.archived' OR l.session_id IN
             (SELECT session_id FROM sessions WHERE policy_id = ?) AND l.action = 'session.created' ORDER BY l.seq`,
          [id, id],
        )
        expect(rows.map(({ action }) => action).indexOf('policy.archived')).toBe(rows.length - 1)
      })

      it('has one whole version, whoever writes meanwhile', async () => {
        const { id } = await policies.save({ config: { retentionDays: 1 } })
        const writing = Array.from({ length: 10 }, (_, n) => policies.write(id, { retentionDays: n + 2 }))
        const made = await Promise.all(Array.from({ length: 20 }, () => sessionOf({ policyId: id })))
        await Promise.all(writing)
        const { versions } = await policies.get(id)
        const daysOf = new Map(versions.map(({ version, config }) => [version, config.retentionDays]))
        for (const { policy, config } of made) expect(config.retentionDays).toBe(daysOf.get(policy?.version ?? 0))
      })
    })
  })
