import type { Org, ReadResult } from '../../data/desk-api.ts'
import type { ListQuery, SectionRoute } from '../../data/route.ts'
import { namesBelow } from '../../words/desk.ts'

export type Member = ReadResult<'portal.members.list'>['items'][number]
export type Invite = ReadResult<'portal.invites.list'>['items'][number]
export type CustomRole = ReadResult<'portal.roles.list'>['items'][number]
export type BuiltInRole = Member['role']

export const builtInRoles: readonly BuiltInRole[] = namesBelow('role')

/** The roles that one may be offered to give: owners are made by owners. The service decides about the rest. */
export const givenBy = ({ role }: Pick<Org, 'role'>): readonly BuiltInRole[] =>
  builtInRoles.filter((given) => given !== 'owner' || role === 'owner')

/** A place among the organisation's sections. */
export const peopleAt = (
  { slug }: Pick<Org, 'slug'>,
  section: string,
  id?: string,
  query: ListQuery = {},
): SectionRoute => ({ room: 'organisation', org: slug, section, id, query })

export type Matrix = ReadResult<'portal.roles.list'>['matrix']
