import type { Caller } from '@integrity/client/caller'
import type { ArgumentsOf } from '@integrity/client/calls'
import type { EveryEndpoint } from '@integrity/client/contract-types'
import type { EndpointMap, ResultOf } from '@integrity/protocol'
import type { endpointTable } from '../generated/desk-endpoints.ts'
import { isOver } from './renewing.ts'

type Table = typeof endpointTable
type Called = Pick<EveryEndpoint, keyof Table>
export type DeskCaller = Caller<Called>

/** The endpoints that are read, by their method; a file is fetched and not read. */
export type ReadId = {
  [Id in keyof Table]: Table[Id] extends `${string} bytes` ? never : Table[Id] extends `GET ${string}` ? Id : never
}[keyof Table]
export type ReadArguments<Id extends ReadId> = ArgumentsOf<Called[Id]>
export type ReadResult<Id extends ReadId> = Called[Id]['result']

type Result<Id extends keyof Table> = ResultOf<EndpointMap[Id]>
export type Org = Result<'portal.orgs.list'>['items'][number]
export type Permission = Org['permissions'][number]
export type SessionItem = Result<'portal.sessions.list'>['items'][number]
export type ReviewItem = Result<'portal.reviews.list'>['items'][number]
export type Report = Result<'portal.report'>
export type LaneCoverage = Report['coverage'][number]
export type Stretch = LaneCoverage['account'][number]
export type Moment = Result<'portal.coverage'>['items'][number]

/** Who is signed in, and the organisations they belong to. */
export interface Person {
  readonly user: Result<'auth.me'>['user']
  readonly orgs: readonly Org[]
}

/** Undefined where nobody is signed in. Throws `IntegrityError` for anything else. */
export const readPerson = async (own: DeskCaller): Promise<Person | undefined> => {
  try {
    // Together: every page waits for both.
    const [me, orgs] = await Promise.all([own.call('auth.me'), own.call('portal.orgs.list', { query: { limit: 100 } })])
    return { user: me.data.user, orgs: orgs.data.items }
  } catch (error) {
    if (isOver(error)) return undefined
    throw error
  }
}

/** The organisation of an address; that which was chosen last where it names none; `undefined` where it is not theirs. */
export const orgOf = (orgs: readonly Org[], slug: string | undefined, chosen: string | undefined): Org | undefined => {
  if (slug !== undefined) return orgs.find((org) => org.slug === slug)
  return orgs.find((org) => org.slug === chosen) ?? orgs[0]
}
