import { lineOf, mailAddressOf, scimGroupBody, scimUrns, type scimUser, scimUserBody } from '@integrity/protocol'
import type * as z from 'zod'
import { inWords, misfitsOf } from '../../../platform/schema-words.ts'
import { scimFault } from './faults.model.ts'

const truths: Readonly<Record<string, boolean>> = { true: true, false: false }
const asBoolean = (value: unknown): boolean | undefined => truths[String(value).toLowerCase()]

/** Leaves out what has no value: null, an empty object, an empty list. */
const compact = (value: unknown): unknown => {
  if (Array.isArray(value)) {
    const list = value.map(compact).filter((one) => one !== undefined)
    return list.length > 0 ? list : undefined
  }
  if (typeof value !== 'object' || value === null) return value ?? undefined
  const entries = Object.entries(value).flatMap(([name, inner]) => {
    const kept = compact(inner)
    return kept === undefined ? [] : [[name, kept] as const]
  })
  return entries.length > 0 ? Object.fromEntries(entries) : undefined
}

/** What is kept of a person, as it is stored and shown. */
export type UserAttributes = Omit<
  z.input<typeof scimUser>,
  'schemas' | 'id' | 'meta' | 'groups' | 'active' | 'userName'
> & { readonly userName: string }

export interface UserInput {
  readonly attributes: UserAttributes
  readonly active: boolean | undefined
}

type Body = z.output<typeof scimUserBody>

/** Whoever has no manager any more is sent with an empty one. */
const managerOf = (given: NonNullable<Body[typeof scimUrns.enterprise]>['manager']) => {
  const manager = typeof given === 'string' ? { value: given } : given
  return manager?.value === '' ? undefined : manager
}

/** A checked body as it is kept. Throws `invalidValue` for more than one primary address. */
export const userInput = ({ schemas: _schemas, active, ...body }: Body): UserInput => {
  const emails = body.emails?.filter(({ value }) => value).map((one) => ({ ...one, primary: asBoolean(one.primary) }))
  if ((emails?.filter(({ primary }) => primary).length ?? 0) > 1)
    throw scimFault('invalidValue', 'emails: only one can be the primary one')
  const enterprise = body[scimUrns.enterprise]
  const manager = enterprise?.manager
  const kept = {
    ...body,
    emails,
    [scimUrns.enterprise]: enterprise && {
      ...enterprise,
      manager: managerOf(manager),
    },
  }
  return { attributes: compact(kept) as UserAttributes, active: asBoolean(active) }
}

const checked = <T>(schema: z.ZodType<T>, value: unknown): T => {
  const parsed = schema.safeParse(value, inWords)
  if (parsed.success) return parsed.data
  const [issue] = misfitsOf(parsed.error.issues)
  throw scimFault('invalidValue', `${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'is not valid'}`)
}

/** What a PATCH has made of a resource, checked as if it had been sent whole. */
export const checkedUser = (value: unknown): UserInput => userInput(checked(scimUserBody, value))
export const checkedGroup = (value: unknown) => checked(scimGroupBody, value)

/** The address that somebody's account has, or is to have: what they sign in as, or else their first address. */
export const addressOf = ({ userName, emails = [] }: UserAttributes): string => {
  const preferred = emails.find(({ primary }) => primary) ?? emails.find(({ type }) => type === 'work') ?? emails[0]
  const address = mailAddressOf(userName) ?? mailAddressOf(preferred?.value)
  if (address === undefined)
    throw scimFault('invalidValue', 'userName: it, or an address of emails, must be an e-mail address')
  return address
}

/** One line that a member can be called by. */
export const personNameOf = ({ userName, displayName, name }: UserAttributes): string => {
  const full = [name?.givenName, name?.familyName].filter(Boolean).join(' ')
  const text = [displayName, name?.formatted, full, userName].find((one) => one !== undefined && one.trim() !== '')
  return lineOf(text ?? userName, 200)
}

/** Names as RFC 7644 (section 3.9) selects them; what is always returned stays. */
export interface Selection {
  readonly attributes?: readonly string[] | undefined
  readonly excludedAttributes?: readonly string[] | undefined
}
const always: ReadonlySet<string> = new Set(['schemas', 'id'])

const plain = (name: string): string =>
  [scimUrns.user, scimUrns.group].reduce((text, urn) => {
    const prefix = `${urn.toLowerCase()}:`
    return text.startsWith(prefix) ? text.slice(prefix.length) : text
  }, name.trim().toLowerCase())

/** `a.b` and `urn:…:b` reach into an attribute, whatever its name holds. */
const below = (asked: string, name: string): string | undefined =>
  asked.startsWith(`${name}.`) || asked.startsWith(`${name}:`) ? asked.slice(name.length + 1) : undefined

const only = (value: unknown, fields: readonly string[], keep: boolean): unknown => {
  if (Array.isArray(value)) return value.map((one) => only(one, fields, keep))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).filter(([name]) => fields.includes(name.toLowerCase()) === keep))
}

export const selected = <T extends object>(resource: T, { attributes, excludedAttributes }: Selection): T => {
  const keep = attributes !== undefined && attributes.length > 0
  const names = (keep ? attributes : (excludedAttributes ?? [])).map(plain)
  if (names.length === 0) return resource
  const entries = Object.entries(resource).flatMap(([name, value]): [string, unknown][] => {
    const lower = name.toLowerCase()
    if (always.has(lower)) return [[name, value]]
    if (names.includes(lower)) return keep ? [[name, value]] : []
    const fields = names.flatMap((asked) => below(asked, lower) ?? [])
    if (fields.length === 0) return keep ? [] : [[name, value]]
    return [[name, only(value, fields, keep)]]
  })
  return Object.fromEntries(entries) as T
}

/** The attributes that a query selects. */
export const selectionOf = (query: {
  attributes?: string | undefined
  excludedAttributes?: string | undefined
}): Selection => ({
  attributes: query.attributes?.split(','),
  excludedAttributes: query.excludedAttributes?.split(','),
})
