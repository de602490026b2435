import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { runAdmin } from '../../../src/app/admin-program.ts'
import {
  startTimeAuthority,
  type TimeAuthorityDouble,
} from '../../../src/platform/timestamps/time-authority.test-support.ts'
import { describeEachDatabase } from '../../test-support/databases.ts'
import { portalCookie } from '../../test-support/portal.ts'
import { refusalOf } from '../../test-support/refusal.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'
import { bundleOf, interview, keyOf, verdictOf } from '../bundles/bundles.test-support.ts'

const hour = 3_600_000

describeEachDatabase('time stamps of checkpoints', (_open, engine) => {
  let server: TestServer
  let authority: TimeAuthorityDouble
  let another: TimeAuthorityDouble
  let orgId: string
  const call = async () => ({ params: { orgId }, headers: await portalCookie(server, 'owner') })
  const named = (change: object = {}) => ({ url: authority.url, policy: null, certificates: authority.ca, ...change })
  const set = async (body: unknown) =>
    (await server.client().call('portal.timestamps.set', { ...(await call()), body: { authority: body } as never }))
      .data
  const state = async () => (await server.client().call('portal.timestamps.get', await call())).data
  /** An hour passes in which something happened; the checkpoint is signed, and stamped. */
  const pass = async () => {
    await set(named())
    server.clock.advance(hour)
    await server.processAll()
    server.clock.advance(300_000)
    await server.processAll()
  }
  const verify = async (...more: string[]) => {
    let said = ''
    const write = (text: string) => {
      said += text
    }
    const { dataDir, databaseUrl } = server.app.config
    const env = { DATA_DIR: dataDir, ...(databaseUrl && { DATABASE_URL: databaseUrl }) }
    const code = await runAdmin(['audit', 'verify', '--org', orgId, ...more], {
      env,
      stdout: { write },
      stderr: { write },
    })
    return { code, said }
  }

  beforeAll(async () => {
    server = await startServer({ engine })
    orgId = server.orgs[0].orgId
    authority = await startTimeAuthority()
    another = await startTimeAuthority()
  })
  afterEach(() => {
    authority.answer = undefined
  })
  afterAll(async () => {
    await Promise.all([authority.remove(), another.remove()])
    await server.stop()
  })

  it('are asked of nobody until somebody named an authority', async () => {
    server.clock.advance(hour)
    await server.processAll()
    expect(await state()).toEqual({ version: 0, authority: null, stamped: null, problem: null })
    expect(authority.requests).toEqual([])
    expect(await verify()).toMatchObject({ code: 0, said: expect.stringContaining('no checkpoint has a time stamp') })
  })

  it('take no authority whose time stamp does not hold, and say why', async () => {
    const refused = async (body: unknown) => (await refusalOf(set(body))).details
    const html = (response: { end: (text: string) => void }) => response.end('<html>')
    for (const [body, path, words] of [
      [named({ url: 'http://a:b@127.0.0.1/' }), 'authority.url', /user name/],
      [named({ url: 'ftp://times.example/' }), 'authority.url', /https/],
      [named({ url: 'http://127.0.0.1:9/' }), 'authority.url', /cannot be reached/],
      [named({ certificates: 'mine' }), 'authority.certificates', /PEM/],
      [named({ certificates: another.ca }), 'authority.url', /leads to none that is trusted/],
      [named({ certificates: null }), 'authority.url', /leads to none that is trusted/],
      [named({ policy: '1.9.9.9' }), 'authority.url', /refused: .*policy/i],
    ] as const)
      expect(await refused(body)).toMatchObject([{ path, message: expect.stringMatching(words) as string }])
    authority.answer = html
    expect(await refused(named())).toMatchObject([
      { message: expect.stringMatching(/no time stamp after RFC 3161/) as string },
    ])
    expect(await state()).toMatchObject({ authority: null })
  })

  it('are kept beside the checkpoint, and hold for OpenSSL', async () => {
    await pass()
    const { stamped, problem } = await state()
    expect(problem).toBeNull()
    expect(stamped).toMatchObject({
      authority: 'O=Times, CN=stamps',
      checkpoint: expect.stringContaining(orgId) as string,
    })
    const threeLines = stamped!.checkpoint.split('\n').slice(0, 3)
    expect(threeLines[1]).toBe(String(stamped!.rows))
    const token = Buffer.from(stamped!.response, 'base64')
    expect(await authority.verify(token, Buffer.from(`${threeLines.join('\n')}\n`))).toContain('Verification: OK')
    expect(authority.requests.at(-1)?.type).toBe('application/timestamp-query')
    // Nothing of the trail goes there.
    expect(authority.requests.at(-1)!.body.length).toBeLessThan(100)
  })

  it('are asked for once for a checkpoint', async () => {
    const asked = authority.requests.length
    server.clock.advance(300_000)
    await server.processAll()
    expect(authority.requests).toHaveLength(asked)
  })

  it('are in the export of the trail', async () => {
    const { stamped } = await state()
    const answer = await fetch(`${server.url}/v1/orgs/${orgId}/audit-logs/export`, { headers: (await call()).headers })
    const end = JSON.parse((await answer.text()).trimEnd().split('\n').at(-1)!) as Record<string, unknown>
    expect(end).toMatchObject({ type: 'end', timestamp: { ...stamped } })
  })

  it('are in a bundle, which holds with it', async () => {
    const members = await bundleOf(server, await interview(server))
    expect(JSON.parse(members.get('audit-timestamp.json')!.toString())).toEqual((await state()).stamped)
    expect(await verdictOf(members, ['--key', keyOf(server)])).toMatchObject({ code: 0, faults: [] })
  })

  it('do not hold up checkpoints where an authority fails, and come later', async () => {
    const { rows } = (await state()).stamped!
    const old = authority.requests.at(-1)!
    const target = createServer(() => expect.unreachable('a redirect was followed'))
    await new Promise<void>((resolve) => target.listen(0, '127.0.0.1', resolve))
    const elsewhere = `http://127.0.0.1:${(target.address() as AddressInfo).port}/`
    const earlier = await authority.reply(old.body)
    for (const [answer, words] of [
      [(r, right) => r.end(right.subarray(0, 300)), /no time stamp after RFC 3161/],
      [(r) => r.end(earlier), /is of other bytes/],
      [(r) => r.end(Buffer.alloc(200_000)), /more length than it should/],
      [(r) => r.writeHead(302, { location: elsewhere }).end(), /answered 302/],
      [(r) => r.writeHead(503).end(), /in trouble \(503\)/],
      [(r) => r.destroy(), /cannot be reached/],
    ] as readonly [NonNullable<TimeAuthorityDouble['answer']>, RegExp][]) {
      await set(named())
      authority.answer = answer
      server.clock.advance(hour)
      await server.processAll()
      server.clock.advance(300_000)
      await server.processAll()
      expect((await state()).problem).toMatch(words)
      authority.answer = undefined
    }
    target.close()
    expect((await state()).stamped?.rows).toBe(rows)
    await pass()
    const after = await state()
    expect(after.problem).toBeNull()
    expect(after.stamped!.rows).toBeGreaterThan(rows)
  })

  it('are checked with the trail, which names each that does not hold', async () => {
    const { stamped } = await state()
    const good = await verify()
    expect(good.said).toContain(`that at row ${stamped!.rows} was stamped at ${stamped!.at} by O=Times, CN=stamps`)
    expect(good.said).toMatch(/time stamps of [1-9]\d* of \d+ checkpoints hold, [1-9]\d* have none/)
    expect(good.code).toBe(0)
    const file = join(server.app.config.dataDir, 'another.pem')
    await writeFile(file, another.ca)
    const other = await verify('--time-ca', file)
    expect(other).toMatchObject({ code: 1, said: expect.stringContaining('(authority_unknown)') })
    // Somebody puts it beside another checkpoint.
    await server.app.db.transact((tx) =>
      tx.run(
        `INSERT INTO audit_timestamps (org_id, size, stamped_at, authority, token)
         SELECT c.org_id, c.size, t.stamped_at, t.authority, t.token FROM audit_checkpoints c
         JOIN audit_timestamps t ON t.org_id = c.org_id AND t.size = ?
         WHERE c.org_id = ? AND c.size < ? AND NOT EXISTS
           (SELECT 1 FROM audit_timestamps o WHERE o.org_id = c.org_id AND o.size = c.size)
         ORDER BY c.size LIMIT 1`,
        [stamped!.rows, orgId, stamped!.rows],
      ),
    )
    const moved = await verify()
    expect(moved).toMatchObject({ code: 1, said: expect.stringContaining('is of another checkpoint (other_imprint)') })
  })

  it('stay where nobody is asked for more', async () => {
    const { stamped } = await state()
    expect(await set(null)).toMatchObject({ authority: null, stamped })
  })
})
