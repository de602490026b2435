import { createPublicKey } from 'node:crypto'
import { domainGraceDays, type Permission, permissions } from '@integrity/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { lookForProofsAgain } from '../../../src/domains/access/sso/proofs.service.ts'
import { memberWithCustomRole } from '../../test-support/custom-role.ts'
import { pendingInvite } from '../../test-support/invites.ts'
import { readOutbox } from '../../test-support/mail.ts'
import { addMember, addPerson, join, portalCookie } from '../../test-support/portal.ts'
import { samlKeys } from '../../test-support/saml-keys.ts'
import { directoryPassword } from '../../test-support/scripted-directory.ts'
import { startServer, type TestServer, testPassword } from '../../test-support/server.ts'
import { seatOf, vouchedSeatOf } from '../../test-support/sign-ins.ts'
import {
  asOwner,
  configureSaml,
  configureSso,
  ldapBody,
  samlBody,
  slugOf,
  verifyDomain,
} from '../../test-support/sso.ts'

const records = new Map<string, string[][]>()
/** Names of which no server answers. */
const broken = new Set<string>()
let server: TestServer
let ask: Awaited<ReturnType<typeof asOwner>>
let other: Awaited<ReturnType<typeof asOwner>>
let orgId: string

/** Sign-ins end as the clock moves on. */
const signInAnew = async () => {
  ask = await asOwner(server, orgId)
  other = await asOwner(server, server.orgs[1].orgId)
}

beforeAll(async () => {
  const txtRecords = (name: string) => {
    const found = records.get(name)
    if (broken.has(name)) return Promise.reject(Object.assign(new Error('no answer'), { code: 'ESERVFAIL' }))
    return found ? Promise.resolve(found) : Promise.reject(Object.assign(new Error('none'), { code: 'ENOTFOUND' }))
  }
  server = await startServer({ overrides: { txtRecords } })
  orgId = server.orgs[0].orgId
  await signInAnew()
})
afterAll(() => server.stop())

const post = async (path: string, body: object) => {
  const response = await fetch(`${server.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const answer = (await response.json()) as { data: Record<string, unknown>; error: Record<string, unknown> }
  return { status: response.status, ...answer, cookies: response.headers.getSetCookie() }
}
const claim = async (domain: string) => {
  const { body, status } = await ask('POST', '/domains', { domain })
  return { status, ...(body.data as { record: { name: string; value: string }; verified: boolean }) }
}
const stateOf = async (domain: string) => {
  const headers = await portalCookie(server, 'owner', orgId)
  const { data } = await server.client().call('portal.sso.get', { params: { orgId }, headers })
  return data.domains.find((one) => one.domain === domain)
}
const auditOf = async (target: string) =>
  (
    await server.app.db.reader.all<{ action: string }>(
      'SELECT action FROM audit_log WHERE org_id = ? AND target = ? ORDER BY seq',
      [orgId, target],
    )
  ).map(({ action }) => action)
const verified = async (domain: string, by = ask) => {
  const { status, body } = await by('POST', `/domains/${domain}/verify`)
  return status === 200 ? (body.data as { verified: boolean }).verified : body.error.reason
}

describe('a domain', () => {
  it('is verified by its record, also where that comes in 50 strings among others', async () => {
    const { record, status, verified: before } = await claim('Example.COM.')
    expect([status, before]).toEqual([201, false])
    expect(await verified('example.com')).toBe(false)
    records.set(record.name, [['v=spf1 -all'], [record.value, 'x'], [`x${record.value}`]])
    expect(await verified('example.com')).toBe(false)
    const strings = Array.from({ length: 50 }, (_, n) => record.value.slice(n, n + 1))
    records.set(record.name, [[...strings, record.value.slice(50)]])
    expect(await verified('example.com')).toBe(true)
  })

  it('has one organisation, whoever claims it and however many prove it at once', async () => {
    const [ours, theirs] = [
      await claim('both.example'),
      (await other('POST', '/domains', { domain: 'both.example' })).body.data as {
        record: { name: string; value: string }
      },
    ]
    expect(ours.record.value).not.toBe(theirs.record.value)
    records.set(ours.record.name, [[ours.record.value], [theirs.record.value]])
    await Promise.all([verified('both.example'), verified('both.example', other)])
    const sql = 'SELECT org_id AS "orgId" FROM sso_verified_domains WHERE domain = ?'
    expect(await server.app.db.reader.all(sql, ['both.example'])).toHaveLength(1)
  })

  it('is whose proof is the newer one, and ends with what was vouched for by the older', async () => {
    const { record } = await claim('moved.example')
    records.set(record.name, [[record.value]])
    expect(await verified('moved.example')).toBe(true)
    const person = await addPerson(server, 'somebody@moved.example')
    await join(server, person.userId, orgId, 'reviewer')
    const headers = await vouchedSeatOf(server, { userId: person.userId, orgId })
    const opens = async () => (await fetch(`${server.url}/v1/orgs/${orgId}`, { headers })).status
    expect(await opens()).toBe(200)
    const theirs = (await other('POST', '/domains', { domain: 'moved.example' })).body.data as {
      record: { value: string }
    }
    expect(await verified('moved.example', other)).toBe(false)
    records.set(record.name, [[theirs.record.value]])
    expect(await verified('moved.example', other)).toBe(true)
    expect(await stateOf('moved.example')).toMatchObject({ verified: false })
    await server.processAll()
    expect(await opens()).toBe(401)
    const subjects = (await readOutbox(server)).map(({ subject }) => subject)
    expect(subjects.filter((subject) => subject === 'moved.example is no longer verified')).toHaveLength(1)
    expect(await auditOf('moved.example')).toContain('sso.domain_ended')
  })

  it('is looked at again each day: a record that is missing for days ends it, and owners are told before', async () => {
    const { record } = await claim('lapsed.example')
    records.set(record.name, [[record.value]])
    expect(await verified('lapsed.example')).toBe(true)
    const mails = async () =>
      (await readOutbox(server)).map(({ subject }) => subject).filter((subject) => subject.includes('lapsed.example'))
    const nextDay = async () => {
      server.clock.advance(86_400_000)
      await lookForProofsAgain(server.app)
      await server.processAll()
      await signInAnew()
    }
    await nextDay()
    expect([await stateOf('lapsed.example'), await mails()]).toMatchObject([{ verified: true, missingSince: null }, []])
    records.delete(record.name)
    await nextDay()
    expect(await stateOf('lapsed.example')).toMatchObject({ verified: true, missingSince: expect.any(String) })
    expect(await mails()).toEqual(['The record that proves lapsed.example is missing'])
    // It comes back, and nothing has happened.
    records.set(record.name, [[record.value]])
    await nextDay()
    expect(await stateOf('lapsed.example')).toMatchObject({ verified: true, missingSince: null })
    records.delete(record.name)
    for (let day = 0; day < domainGraceDays; day++) await nextDay()
    expect(await stateOf('lapsed.example')).toMatchObject({ verified: true })
    await nextDay()
    expect(await stateOf('lapsed.example')).toMatchObject({ verified: false })
    expect((await mails()).at(-1)).toBe('lapsed.example is no longer verified')
    expect(await auditOf('lapsed.example')).toEqual(
      expect.arrayContaining(['sso.domain_missing', 'sso.domain_found', 'sso.domain_ended']),
    )
  })

  it('stays what it is while no name server answers', async () => {
    const { record } = await claim('silent.example')
    records.set(record.name, [[record.value]])
    expect(await verified('silent.example')).toBe(true)
    broken.add(record.name)
    for (let day = 0; day < domainGraceDays + 2; day++) {
      server.clock.advance(86_400_000)
      await lookForProofsAgain(server.app)
    }
    await signInAnew()
    expect(await stateOf('silent.example')).toMatchObject({ verified: true, missingSince: null })
  })

  it('is not one below which anybody registers, nor an address, nor half a name', async () => {
    for (const domain of [
      'co.uk',
      'github.io',
      'com',
      '127.0.0.1',
      'localhost',
      'a..example',
      'exa mple.com',
      '-a.com',
      '[::1]',
      'https://a.com',
    ])
      expect((await ask('POST', '/domains', { domain })).body.error?.details, domain).toMatchObject([
        { path: 'domain' },
      ])
  })
})

describe('the connection', () => {
  it('says who is an owner too, and so is set by an owner alone, whatever a custom role holds', async () => {
    const { holding } = await memberWithCustomRole({ server, scope: { orgId } })
    const answer = await fetch(`${server.url}/v1/orgs/${orgId}/sso`, {
      method: 'PUT',
      headers: { ...(await holding(Object.keys(permissions) as Permission[])), 'content-type': 'application/json' },
      body: JSON.stringify(samlBody),
    })
    expect([answer.status, await answer.text()]).toEqual([403, expect.stringContaining('only an owner')])
  })

  it('shows no secret', async () => {
    const put = await ask('PUT', '', ldapBody)
    expect([put.status, JSON.stringify(put.body)]).toEqual([200, expect.not.stringContaining(ldapBody.bindPassword)])
    const rows = await server.app.db.reader.all('SELECT * FROM sso_connections')
    expect(JSON.stringify([rows, server.logLines])).not.toContain(ldapBody.bindPassword)
  })

  it('is refused when it is longer than anything that belongs here, and the one that was stays', async () => {
    const before = await ask('GET', '')
    const long = samlKeys.a.certificate.repeat(Math.ceil((20 * 1024 * 1024) / samlKeys.a.certificate.length))
    expect((await ask('PUT', '', { ...samlBody, idpCertificates: [long] })).status).toBe(413)
    const some = long.slice(0, 16_385)
    expect((await ask('PUT', '', { ...samlBody, idpCertificates: [some] })).body.error.details).toMatchObject([
      { path: 'idpCertificates.0' },
    ])
    expect(await ask('GET', '')).toEqual(before)
  })

  it('is refused with a key for a certificate, user names in addresses, an owner by mapping', async () => {
    const publicKey = createPublicKey(samlKeys.a.certificate).export({ type: 'spki', format: 'pem' })
    const bareKey = createPublicKey(samlKeys.a.certificate).export({ type: 'spki', format: 'der' }).toString('base64')
    const faults: [object, string][] = [
      [{ idpCertificates: [samlKeys.a.key] }, 'idpCertificates.0'],
      [{ idpCertificates: [samlKeys.a.certificate + samlKeys.b.certificate] }, 'idpCertificates.0'],
      [{ idpCertificates: [samlKeys.a.certificate, 'AAAA'] }, 'idpCertificates.1'],
      [{ idpCertificates: [publicKey] }, 'idpCertificates.0'],
      [{ idpCertificates: [bareKey] }, 'idpCertificates.0'],
      [{ idpSsoUrl: 'https://user:secret@idp.example/' }, 'idpSsoUrl'],
      [{ idpSsoUrl: 'https://user@idp.example/' }, 'idpSsoUrl'],
      [{ idpSloUrl: 'https://user:secret@idp.example/' }, 'idpSloUrl'],
      [{ idpSsoUrl: 'javascript:alert(1)' }, 'idpSsoUrl'],
      [{ defaultRole: 'owner' }, 'defaultRole'],
      [{ roleMapping: { all: 'owner' } }, 'roleMapping.all'],
    ]
    for (const [fault, path] of faults)
      expect((await ask('PUT', '', { ...samlBody, ...fault })).body.error.details, path).toMatchObject([{ path }])
    for (const [fault, path] of [
      [{ url: 'ldap://directory.example' }, 'startTls'],
      [{ url: 'ldaps://user:x@directory.example' }, 'url'],
      [{ userFilter: '(uid=x)' }, 'userFilter'],
    ] as const)
      expect((await ask('PUT', '', { ...ldapBody, ...fault })).body.error.details, path).toMatchObject([{ path }])
  })
})

describe('requiring single sign-on', () => {
  const require = async (required = true) =>
    (await ask('PUT', '/enforcement', { required })).body.error?.reason ?? 'done'
  const signIn = (email: string) => post('/v1/auth/login', { email, password: testPassword })

  it('takes a connection, a verified domain, and a test by an owner that worked within a day', async () => {
    const { orgId: fresh } = server.orgs[1]
    const enforce = async () => (await other('PUT', '/enforcement', { required: true })).body.error?.reason ?? 'done'
    await server.app.db.transact((tx) => tx.run('DELETE FROM sso_verified_domains WHERE org_id = ?', [fresh]))
    expect(await enforce()).toBe('no_connection')
    await other('PUT', '', ldapBody)
    expect(await enforce()).toBe('no_verified_domain')
    await verifyDomain(server, fresh, 'fresh.example')
    expect(await enforce()).toBe('no_recent_test')
    expect((await other('POST', '/test')).body.data).toMatchObject({ ok: true })
    server.clock.advance(25 * 3_600_000)
    other = await asOwner(server, fresh)
    ask = await asOwner(server, orgId)
    expect(await enforce()).toBe('no_recent_test')
    await other('POST', '/test')
    await other('PUT', '', ldapBody)
    expect(await enforce()).toBe('no_recent_test')
    await other('POST', '/test')
    expect(await enforce()).toBe('done')
    // Another connection in its place changes nothing of that.
    await other('PUT', '', ldapBody)
    expect((await other('DELETE', '/domains/fresh.example')).body.error.reason).toBe('required')
  })

  it("refuses a member's password with where to go instead, and lets owners in, of which all owners hear", async () => {
    await configureSso({ server, scope: { orgId, environment: 'live' } }, ldapBody)
    await ask('POST', '/test')
    const member = await addPerson(server, 'member@sso.example')
    await join(server, member.userId, orgId, 'admin')
    const outside = await addMember(server, 'reviewer', orgId)
    const owner = await addPerson(server, 'boss@sso.example')
    await join(server, owner.userId, orgId, 'owner')
    expect((await signIn(member.email)).status).toBe(200)
    expect(await require()).toBe('done')
    const slug = await slugOf(server, orgId)
    expect(await signIn(member.email)).toMatchObject({
      status: 403,
      error: { reason: 'sso_required', method: 'ldap', orgSlug: slug },
      cookies: [],
    })
    await configureSaml({ server, scope: { orgId, environment: 'live' } })
    const url = `${server.app.config.baseUrl}/v1/auth/sso/${slug}/login`
    expect(await signIn(member.email)).toMatchObject({ status: 403, error: { reason: 'sso_required', url } })
    expect(await post('/v1/auth/sso/discover', { email: 'nobody@sso.example' })).toMatchObject({
      data: { method: 'saml', url, required: true },
    })
    // Nobody could vouch for them.
    expect((await signIn(outside.email)).status).toBe(200)
    expect((await signIn(owner.email)).status).toBe(200)
    const jobs = await server.app.db.reader.all<{ payload: string }>(
      "SELECT payload FROM jobs WHERE kind = 'auth.sso_password_used'",
    )
    expect(jobs.map(({ payload }) => JSON.parse(payload) as object)).toEqual([{ orgId, userId: owner.userId }])
    expect(await require(false)).toBe('done')
    expect((await signIn(member.email)).status).toBe(200)
  })
})

describe('becoming required', () => {
  it('signs out members who came by a password, and says so before', async () => {
    const orgSlug = await configureSso({ server, scope: { orgId, environment: 'live' } }, ldapBody)
    const person = async (role: 'admin' | 'owner', name: string) => {
      const { userId } = await addPerson(server, `${name}@sso.example`)
      await join(server, userId, orgId, role)
      return seatOf(server, userId)
    }
    const [first, second, boss] = [
      await person('admin', 'first'),
      await person('admin', 'second'),
      await person('owner', 'chief'),
    ]
    const outside = await seatOf(server, (await addMember(server, 'reviewer', orgId)).userId)
    const { cookies } = await post('/v1/auth/sso/ldap', { orgSlug, username: 'eva', password: directoryPassword })
    const vouched = { cookie: cookies.map((one) => one.split(';')[0]).join('; ') }
    const { checks } = (await ask('POST', '/test')).body.data as { checks: { name: string; message?: string }[] }
    const said = checks.find(({ name }) => name === 'password_sign_ins')?.message
    const before = Number(/: (\d+)$/.exec(said ?? '')?.[1])
    expect(before).toBeGreaterThanOrEqual(2)
    expect((await ask('PUT', '/enforcement', { required: true })).status).toBe(200)
    await server.processAll()
    const statuses = [first, second, boss, outside, vouched].map(
      async (headers) => (await fetch(`${server.url}/v1/auth/me`, { headers })).status,
    )
    expect(await Promise.all(statuses)).toEqual([401, 401, 200, 200, 200])
    expect((await ask('PUT', '/enforcement', { required: false })).status).toBe(200)
  })

  it('lets who is invited come in by that way alone, with a new account and a known one, and asks nothing of others', async () => {
    await configureSso({ server, scope: { orgId, environment: 'live' } }, ldapBody)
    const known = await addPerson(server, 'known@sso.example')
    await ask('POST', '/test')
    expect((await ask('PUT', '/enforcement', { required: true })).status).toBe(200)
    const accept = async (email: string, name?: string) => {
      const { token } = await pendingInvite(server, { email }, orgId)
      return post('/v1/invites/accept', { token, password: testPassword, ...(name && { name }) })
    }
    const elsewhere = { status: 403, error: { reason: 'sso_required', method: 'ldap' }, cookies: [] }
    expect(await accept('new@sso.example', 'New')).toMatchObject(elsewhere)
    expect(await accept(known.email)).toMatchObject(elsewhere)
    expect((await accept('new@elsewhere.example', 'New')).status).toBe(200)
    const made = await server.app.db.reader.all("SELECT 1 AS one FROM users WHERE email = 'new@sso.example'")
    expect(made).toEqual([])
    expect((await ask('PUT', '/enforcement', { required: false })).status).toBe(200)
  })

  it('ends a sign-in by a password, that it came to be required of later, when it is to be renewed', async () => {
    await configureSso({ server, scope: { orgId, environment: 'live' } }, ldapBody)
    const { email, userId } = await addPerson(server, 'later@sso.example')
    await join(server, userId, orgId, 'reviewer')
    const { cookies } = await post('/v1/auth/login', { email, password: testPassword })
    const headers = { cookie: cookies.map((one) => one.split(';')[0]).join('; ') }
    const renew = async () => (await fetch(`${server.url}/v1/auth/refresh`, { method: 'POST', headers })).status
    await server.app.db.transact((tx) => tx.run('UPDATE sso_connections SET required = 1 WHERE org_id = ?', [orgId]))
    expect(await renew()).toBe(401)
    await server.app.db.transact((tx) => tx.run('UPDATE sso_connections SET required = 0 WHERE org_id = ?', [orgId]))
    expect(await renew()).toBe(200)
  })
})

describe('signing in to a directory', () => {
  it('makes a member with the role of the group, or answers the same for all that is wrong', async () => {
    const orgSlug = await configureSso({ server, scope: { orgId, environment: 'live' } }, ldapBody)
    const ldap = (body: object) =>
      post('/v1/auth/sso/ldap', { orgSlug, username: 'dora', password: directoryPassword, ...body })
    const answer = await ldap({})
    expect(answer).toMatchObject({
      status: 200,
      data: { user: { email: 'dora@sso.example' }, memberships: [{ role: 'reviewer' }] },
    })
    expect(answer.cookies).toHaveLength(2)
    const wrong = await Promise.all([
      ldap({ password: 'x' }),
      ldap({ orgSlug: 'nobody-here' }),
      ldap({ orgSlug: '../x' }),
    ])
    expect(new Set(wrong.map(({ status, error }) => JSON.stringify([status, error])))).toEqual(
      new Set([JSON.stringify([401, { code: 'unauthorized', message: 'the name or the password is wrong' }])]),
    )
  })
})
