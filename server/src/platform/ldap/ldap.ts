import type { Socket } from 'node:net'
import { type Client, type Entry, FilterParser, ResultCodeError } from 'ldapts'
import { createResolverLookup, type Lookup, systemLookup } from '../http-out/lookup.ts'
import { fillFilter } from './filter-template.ts'
import { type Dialling, dial, type LdapAddress } from './ldap-connection.ts'
import { LdapError, ldapErrorOf } from './ldap-error.ts'

/** How a directory is asked. */
export interface LdapSettings extends LdapAddress {
  readonly bindDn: string
  readonly bindPassword: string
  readonly baseDn: string
  /** With `{username}`. */
  readonly userFilter: string
  /** With `{dn}` and `{username}`; groups are not looked for without. */
  readonly groupFilter?: string | undefined
}

export interface LdapPerson {
  readonly dn: string
  /** Stays when the person is renamed or moved: `entryUUID`, `objectGUID` or `nsUniqueId`. */
  readonly id: string
  readonly email: string | undefined
  readonly name: string | undefined
  /** Names (`cn`) and DNs of the groups. */
  readonly groups: readonly string[]
}

export interface LdapCheck {
  readonly name: 'connect' | 'bind' | 'base' | 'users' | 'groups'
  readonly ok: boolean
  readonly message?: string
}

export interface LdapOptions {
  /** Development only: loopback and private networks are allowed as well. */
  readonly allowPrivate: boolean
  /** `db.inTransaction`: nothing may wait for the network while a transaction is open. */
  readonly isInTransaction: () => boolean
  readonly lookup?: Lookup
  readonly ca?: string
  /** For all steps of one sign-in or probe together. */
  readonly limitMs?: number
}

export interface Ldap {
  /** Searches for the person, then binds as them. Throws `LdapError`; `credentials` tells a wrong name and a wrong password alike. */
  signIn(settings: LdapSettings, username: string, password: string): Promise<LdapPerson>
  /** What works, step by step, up to the first that does not. Writes nothing. */
  probe(settings: LdapSettings): Promise<LdapCheck[]>
}

/** The interface waits at most five seconds. */
const usualLimitMs = 4500
const maxGroups = 1000
/** A directory that allows only smaller pages answers 11; the next one is tried. */
const pageSizes = [200, 50, 10] as const

const personAttributes = [
  ...['mail', 'userPrincipalName', 'displayName', 'cn', 'memberOf', 'entryUUID', 'objectGUID', 'nsUniqueId'],
  ...['userAccountControl', 'nsAccountLock'],
]

/** Directories write attributes in capitals of their own. */
const valuesOf = (entry: Entry, name: string): string[] => {
  const found = Object.entries(entry).find(([key]) => key.toLowerCase() === name.toLowerCase())?.[1]
  const list = found === undefined ? [] : Array.isArray(found) ? found : [found]
  return list
    .map((value) => (typeof value === 'string' ? value : value.toString('hex')))
    .filter((value) => value !== '')
}
const firstOf = (entry: Entry, ...names: readonly string[]): string | undefined =>
  names.flatMap((name) => valuesOf(entry, name))[0]

/** Active Directory's second bit, and 389's lock. */
const isDisabled = (entry: Entry): boolean =>
  (Number(firstOf(entry, 'userAccountControl') ?? 0) & 2) !== 0 ||
  firstOf(entry, 'nsAccountLock')?.toLowerCase() === 'true'

const filterOf = (template: string, username: string, dn: string) => {
  try {
    return FilterParser.parseString(fillFilter(template, { username, dn }))
  } catch (error) {
    throw new LdapError('bad_filter', { cause: error })
  }
}

const findPeople = async (client: Client, settings: LdapSettings, username: string): Promise<Entry[]> => {
  const filter = filterOf(settings.userFilter, username, '')
  const options = { scope: 'sub', derefAliases: 'never', filter, sizeLimit: 2 } as const
  const { searchEntries } = await client.search(settings.baseDn, {
    ...options,
    attributes: personAttributes,
    explicitBufferAttributes: ['objectGUID'],
  })
  // A directory lists references to other servers beside its entries; they name no person.
  return searchEntries
}

const pagesOf = async (
  client: Client,
  baseDn: string,
  filter: ReturnType<typeof filterOf>,
  pageSize: number,
): Promise<string[]> => {
  const groups: string[] = []
  const options = { scope: 'sub', derefAliases: 'never', filter, paged: { pageSize } } as const
  for await (const { searchEntries } of client.searchPaginated(baseDn, { ...options, attributes: ['cn'] })) {
    for (const entry of searchEntries) groups.push(...valuesOf(entry, 'cn'), entry.dn)
    if (groups.length >= maxGroups * 2) break
  }
  return groups
}

const findGroups = async (service: Client, settings: LdapSettings, dn: string, username: string) => {
  if (settings.groupFilter === undefined) return []
  const filter = filterOf(settings.groupFilter, username, dn)
  for (const [n, size] of pageSizes.entries()) {
    try {
      return await pagesOf(service, settings.baseDn, filter, size)
    } catch (error) {
      const { code } = error as { code?: unknown }
      if (!(error instanceof ResultCodeError) || (code !== 11 && code !== 4) || n === pageSizes.length - 1) throw error
    }
  }
  return []
}

const personOf = (entry: Entry, groups: readonly string[]): LdapPerson => ({
  dn: entry.dn,
  id: firstOf(entry, 'entryUUID', 'objectGUID', 'nsUniqueId') ?? entry.dn.toLowerCase(),
  email: firstOf(entry, 'mail', 'userPrincipalName'),
  name: firstOf(entry, 'displayName', 'cn'),
  groups: [...new Set([...valuesOf(entry, 'memberOf'), ...groups])],
})

/** A wrong password is nobody's fault but the person's: the service account was let in before. */
const bindAs = async (client: Client, dn: string, password: string): Promise<void> => {
  await client.bind(dn, password).catch((error: unknown) => {
    const { fault } = ldapErrorOf(error)
    throw fault === 'bind_refused' ? new LdapError('credentials', { cause: error }) : error
  })
}

type Open = () => Promise<Client>

const signInBy = async (open: Open, settings: LdapSettings, username: string, password: string) => {
  const service = await open()
  await service.bind(settings.bindDn, settings.bindPassword)
  const [person, ...others] = await findPeople(service, settings, username)
  if (others.length > 0) throw new LdapError('ambiguous')
  if (!person || isDisabled(person)) throw new LdapError('credentials')
  await bindAs(await open(), person.dn, password)
  return personOf(person, await findGroups(service, settings, person.dn, username))
}

/** Nobody is called so. */
const nobody = 'nobody-7d0f6a2c'

const stepsOf = (open: Open, settings: LdapSettings): readonly [LdapCheck['name'], () => Promise<unknown>][] => {
  let service: Client | undefined
  const opened = (): Client => {
    if (!service) throw new LdapError('unreachable')
    return service
  }
  const base = { scope: 'base', filter: '(objectClass=*)', sizeLimit: 1 } as const
  return [
    ['connect', async () => (service = await open())],
    ['bind', () => opened().bind(settings.bindDn, settings.bindPassword)],
    ['base', () => opened().search(settings.baseDn, { ...base, attributes: ['1.1'] })],
    ['users', () => findPeople(opened(), settings, nobody)],
    ['groups', () => findGroups(opened(), settings, settings.bindDn, nobody)],
  ]
}

/** An empty password is an anonymous bind, which directories answer with success (RFC 4513, section 5.1.2). */
const refuseEmpty = (...passwords: readonly string[]): void => {
  if (passwords.some((password) => password.trim() === '')) throw new LdapError('credentials')
}

export const createLdap = (options: LdapOptions): Ldap => {
  const { allowPrivate, isInTransaction, ca, limitMs = usualLimitMs } = options
  const lookup = options.lookup ?? (allowPrivate ? systemLookup : createResolverLookup())
  const dialling: Dialling = { allowPrivate, lookup, ca, limitMs }

  /** All connections of one task, which end with it, and when its time is over. */
  const within = async <T>(settings: LdapSettings, work: (open: Open) => Promise<T>): Promise<T> => {
    if (isInTransaction()) throw new Error('the network is not waited for inside a transaction')
    const sockets: Socket[] = []
    let isOver = false
    const track = (socket: Socket): void => {
      sockets.push(socket.on('error', () => undefined))
      if (isOver) socket.destroy()
    }
    const open: Open = () => dial(settings, dialling, track)
    const { promise: late, reject } = Promise.withResolvers<never>()
    const timer = setTimeout(() => reject(new LdapError('slow')), limitMs)
    try {
      return await Promise.race([work(open), late])
    } catch (error) {
      throw ldapErrorOf(error)
    } finally {
      isOver = true
      clearTimeout(timer)
      for (const socket of sockets) socket.destroy()
    }
  }

  return {
    async signIn(settings, username, password) {
      refuseEmpty(password, settings.bindPassword)
      return within(settings, (open) => signInBy(open, settings, username, password))
    },
    async probe(settings) {
      const checks: LdapCheck[] = []
      let step: LdapCheck['name'] = 'connect'
      try {
        await within(settings, async (open) => {
          for (const [name, run] of stepsOf(open, settings)) {
            step = name
            await run()
            checks.push({ name, ok: true })
          }
        })
      } catch (error) {
        checks.push({ name: step, ok: false, message: ldapErrorOf(error).message })
      }
      return checks
    },
  }
}
