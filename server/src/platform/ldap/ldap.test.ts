import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { tlsCertificate } from '../http-out/tls-fixture.test-support.ts'
import { fillFilter } from './filter-template.ts'
import { createLdap, type LdapOptions, type LdapSettings } from './ldap.ts'
import { LdapError, type LdapFault } from './ldap-error.ts'
import {
  hasSlapd,
  manyGroups,
  type Slapd,
  slapdBase,
  slapdName,
  slapdService,
  startSlapd,
} from './slapd.test-support.ts'

const here = () => Promise.resolve(['127.0.0.1'])
const make = (more: Partial<LdapOptions> = {}) =>
  createLdap({ allowPrivate: true, isInTransaction: () => false, lookup: here, ca: tlsCertificate, ...more })

const faultOf = async (work: Promise<unknown>): Promise<LdapFault | 'none'> =>
  work.then(
    () => 'none' as const,
    (error: unknown) => {
      expect(error).toBeInstanceOf(LdapError)
      return (error as LdapError).fault
    },
  )

/** A server that notes who comes, and says what it is told to: nothing, unless told. */
const listen = async (onConnect: (socket: Socket) => void = () => undefined) => {
  const came: number[] = []
  const server: Server = createServer((socket) => {
    came.push(Date.now())
    socket.on('error', () => undefined)
    onConnect(socket)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { came, port: (server.address() as AddressInfo).port, close: () => server.close() }
}

describe('a filter', () => {
  it('holds what was put into it as a value, whatever it means elsewhere', () => {
    const filled = fillFilter('(&(uid={username})(member={dn}))', {
      username: '*)(uid=*',
      dn: 'cn=a\\2c (b)\u0000,dc=x',
    })
    expect(filled).toBe('(&(uid=\\2a\\29\\28uid=\\2a)(member=cn=a\\5c2c \\28b\\29\\00,dc=x))')
    expect(fillFilter('(uid={username})', { username: '{dn}', dn: 'x' })).toBe('(uid={dn})')
  })
})

describe('a directory that is not there', () => {
  const at = (port: number, url = `ldap://127.0.0.1:${port}`): LdapSettings => ({
    url,
    startTls: false,
    ...slapdService,
    baseDn: slapdBase,
    userFilter: '(uid={username})',
  })

  it('is unreachable where nobody listens, and where the name has no address', async () => {
    const closed = await listen()
    closed.close()
    expect(await faultOf(make().signIn(at(closed.port), 'ana', 'secret'))).toBe('unreachable')
    const lookup = () => Promise.reject(Object.assign(new Error('no such name'), { code: 'ENOTFOUND' }))
    expect(await faultOf(make({ lookup }).signIn(at(0, 'ldaps://dir.example.com'), 'ana', 'secret'))).toBe(
      'unreachable',
    )
  })

  it('is slow when it takes the connection and says nothing, in the clear or before TLS, and the connection is ended', async () => {
    let ended = 0
    const silent = await listen((socket) => socket.resume().on('close', () => (ended += 1)))
    const hasty = make({ limitMs: 30 })
    expect(await faultOf(hasty.signIn(at(silent.port), 'ana', 'secret'))).toBe('slow')
    expect(await faultOf(hasty.signIn({ ...at(silent.port), startTls: true }, 'ana', 'secret'))).toBe('slow')
    expect(await faultOf(hasty.signIn(at(0, `ldaps://${slapdName}:${silent.port}`), 'ana', 'secret'))).toBe('slow')
    expect(silent.came).toHaveLength(3)
    await expect.poll(() => ended).toBe(3)
    silent.close()
  })

  it('is in trouble or gone when it talks something else', async () => {
    const other = await listen((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'))
    expect(['unreachable', 'trouble']).toContain(await faultOf(make().signIn(at(other.port), 'ana', 'secret')))
    expect(['unreachable', 'tls']).toContain(
      await faultOf(make().signIn(at(0, `ldaps://${slapdName}:${other.port}`), 'ana', 'secret')),
    )
    other.close()
  })

  it('is not connected to in a network of our own, whatever name it has there', async () => {
    const inner = await listen()
    const strict = make({ allowPrivate: false })
    for (const url of [
      `ldap://127.0.0.1:${inner.port}`,
      `ldaps://[::1]:${inner.port}`,
      `ldaps://${slapdName}:${inner.port}`,
    ])
      expect(await faultOf(strict.signIn(at(0, url), 'ana', 'secret')), url).toBe('blocked')
    expect(inner.came).toEqual([])
    inner.close()
  })

  it('gets no password in the clear, unless it is on this machine', async () => {
    const lookup = () => Promise.resolve(['93.184.216.34'])
    expect(await faultOf(make({ lookup }).signIn(at(0, 'ldap://dir.example.com'), 'ana', 'secret'))).toBe('insecure')
  })

  it('is not asked with an empty password, nor inside a transaction', async () => {
    const inner = await listen()
    for (const password of ['', ' ', '\t\n'])
      expect(await faultOf(make().signIn(at(inner.port), 'ana', password))).toBe('credentials')
    await expect(make({ isInTransaction: () => true }).signIn(at(inner.port), 'ana', 'secret')).rejects.toThrow(
      'transaction',
    )
    expect(inner.came).toEqual([])
    inner.close()
  })
})

describe.skipIf(!(await hasSlapd()))("Debian's slapd", () => {
  let slapd: Slapd
  let elsewhere: Awaited<ReturnType<typeof listen>>
  let settings: LdapSettings

  beforeAll(async () => {
    elsewhere = await listen()
    slapd = await startSlapd(elsewhere.port)
    settings = {
      url: `ldap://127.0.0.1:${slapd.port}`,
      startTls: false,
      ...slapdService,
      baseDn: slapdBase,
      userFilter: '(&(objectClass=inetOrgPerson)(uid={username}))',
      groupFilter: '(&(objectClass=groupOfNames)(member={dn}))',
    }
  })
  afterAll(async () => {
    await slapd?.stop()
    elsewhere?.close()
  })
  const signIn = (username: string, password: string, more: Partial<LdapSettings> = {}) =>
    make().signIn({ ...settings, ...more }, username, password)

  it('lets a person in, with their groups, which come in several pages', async () => {
    const person = await signIn('ana', 'ana secret')
    expect(person).toMatchObject({
      dn: `uid=ana,ou=people,${slapdBase}`,
      id: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
      email: 'ana@example.org',
      name: 'ana Example',
    })
    expect(person.groups.filter((name) => /^group \d+$/.test(name))).toHaveLength(manyGroups)
    expect(person.groups).toContain(`cn=group 7,ou=groups,${slapdBase}`)
    expect((await signIn('bela', 'bela secret')).groups).toEqual([])
  })

  it('answers a wrong password, an unknown name and somebody else’s password alike', async () => {
    for (const [name, password] of [
      ['ana', 'wrong'],
      ['nobody', 'ana secret'],
      ['bela', 'ana secret'],
      ['service', slapdService.bindPassword],
    ] as const)
      expect(await faultOf(signIn(name, password)), name).toBe('credentials')
  })

  it('finds a name as it is written, and nobody by what is a pattern elsewhere', async () => {
    expect((await signIn('o(d*d', 'odd secret')).email).toBe('o(d*d@example.org')
    for (const name of ['*)(uid=*', '*', 'an*', 'ana)(objectClass=*', '\\2a', 'ana\u0000'])
      expect(await faultOf(signIn(name, 'ana secret')), name).toBe('credentials')
  })

  it('does not choose between two people', async () => {
    expect(await faultOf(signIn('twin', 'bela secret', { userFilter: '(description={username})' }))).toBe('ambiguous')
  })

  it('is followed to no other server, neither for an entry nor for a whole base', async () => {
    expect((await signIn('ana', 'ana secret')).email).toBe('ana@example.org')
    expect(await faultOf(signIn('ana', 'ana secret', { baseDn: `ou=elsewhere,${slapdBase}` }))).toBe('referral')
    expect(elsewhere.came).toEqual([])
  })

  it('is spoken to over ldaps and StartTLS, when its certificate is trusted and of that name', async () => {
    const secure = { url: `ldaps://${slapdName}:${slapd.tlsPort}` }
    const upgraded = { url: `ldap://${slapdName}:${slapd.port}`, startTls: true }
    for (const way of [secure, upgraded]) {
      expect((await signIn('ana', 'ana secret', way)).email).toBe('ana@example.org')
      const strangers = createLdap({ allowPrivate: true, isInTransaction: () => false, lookup: here })
      expect(await faultOf(strangers.signIn({ ...settings, ...way }, 'ana', 'ana secret'))).toBe('tls')
      const misnamed = { ...way, url: way.url.replace(slapdName, 'other.example.com') }
      expect(await faultOf(signIn('ana', 'ana secret', misnamed))).toBe('tls')
      const numbered = { ...way, url: way.url.replace(slapdName, '127.0.0.1') }
      expect(await faultOf(signIn('ana', 'ana secret', numbered))).toBe('tls')
    }
  })

  it('says of each setting that is wrong what it is', async () => {
    for (const [wrong, fault] of [
      [{ bindPassword: 'wrong' }, 'bind_refused'],
      [{ bindDn: 'not a dn' }, 'no_base'],
      [{ baseDn: 'dc=nowhere,dc=org' }, 'no_base'],
      [{ userFilter: '(uid={username}' }, 'bad_filter'],
      [{ userFilter: 'uid' }, 'bad_filter'],
    ] as const)
      expect(await faultOf(signIn('ana', 'ana secret', wrong)), JSON.stringify(wrong)).toBe(fault)
  })

  it('is probed step by step, up to the first that fails', async () => {
    const probe = (more: Partial<LdapSettings> = {}) => make().probe({ ...settings, ...more })
    expect(await probe()).toEqual(['connect', 'bind', 'base', 'users', 'groups'].map((name) => ({ name, ok: true })))
    const stops = async (more: Partial<LdapSettings>) => (await probe(more)).at(-1)
    expect(await stops({ bindPassword: 'wrong' })).toEqual({
      name: 'bind',
      ok: false,
      message: 'the directory refuses the service account',
    })
    expect(await stops({ baseDn: 'dc=nowhere' })).toMatchObject({ name: 'base', ok: false })
    expect(await stops({ userFilter: '((' })).toMatchObject({ name: 'users', ok: false })
    expect(await stops({ groupFilter: '((' })).toMatchObject({ name: 'groups', ok: false })
  })
})
