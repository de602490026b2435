import * as z from 'zod'
import { instant } from '../../../core/primitives.ts'
import { anyCase, looseText } from './scim.names.ts'

export const scimUrns = {
  user: 'urn:ietf:params:scim:schemas:core:2.0:User',
  enterprise: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User',
  group: 'urn:ietf:params:scim:schemas:core:2.0:Group',
  list: 'urn:ietf:params:scim:api:messages:2.0:ListResponse',
  search: 'urn:ietf:params:scim:api:messages:2.0:SearchRequest',
  patch: 'urn:ietf:params:scim:api:messages:2.0:PatchOp',
  error: 'urn:ietf:params:scim:api:messages:2.0:Error',
  provider: 'urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig',
  resourceType: 'urn:ietf:params:scim:schemas:core:2.0:ResourceType',
  schema: 'urn:ietf:params:scim:schemas:core:2.0:Schema',
} as const

/** As many resources a page holds at most; whoever asks for more gets these. */
export const maxScimPage = 200
/** Groups of one organisation. */
export const maxScimGroups = 1000
/** Elements of one attribute, operations of one PATCH. */
const maxValues = 50
export const maxScimOperations = 500
/** Members that one request may name. */
export const maxScimMembers = 10_000

const text = (max: number) => z.string().max(max)
/** Identity providers send null for what they have no value for. */
const optional = (max = 256) => looseText(max).nullish()
/** Entra's older client sends booleans as text, in any case. */
const truth = z.union([
  z.boolean(),
  z.string().regex(/^(?:[Tt][Rr][Uu][Ee]|[Ff][Aa][Ll][Ss][Ee])$/, 'must be a boolean'),
])

/** One without a value is left out. */
const email = anyCase({ value: text(254).nullish(), type: optional(64), display: optional(), primary: truth.nullish() })
const name = anyCase({
  formatted: optional(),
  familyName: optional(),
  givenName: optional(),
  middleName: optional(),
  honorificPrefix: optional(64),
  honorificSuffix: optional(64),
})
const manager = z.union([looseText(128), anyCase({ value: looseText(128).nullish(), displayName: optional() })])
const enterprise = anyCase({
  employeeNumber: optional(),
  costCenter: optional(),
  organization: optional(),
  division: optional(),
  department: optional(),
  manager: manager.nullish(),
})

const schemas = z.array(text(256)).max(20).nullish()

/** What is kept of a person; whatever else an identity provider sends is left out. */
export const scimUserBody = anyCase({
  schemas,
  userName: text(254).min(1),
  externalId: optional(),
  active: truth.nullish(),
  name: name.nullish(),
  displayName: optional(),
  title: optional(),
  userType: optional(),
  preferredLanguage: optional(35),
  locale: optional(35),
  timezone: optional(64),
  emails: z.array(email).max(maxValues).nullish(),
  [scimUrns.enterprise]: enterprise.nullish(),
})

export const scimGroupBody = anyCase({
  schemas,
  displayName: text(256).min(1),
  externalId: optional(),
  members: z
    .array(anyCase({ value: text(128) }))
    .max(maxScimMembers)
    .nullish(),
})

/** Attributes that one operation sets at once. */
const maxNames = 200

const elementsIn = (value: unknown): number =>
  Array.isArray(value)
    ? value.length
    : typeof value === 'object' && value !== null
      ? Object.values(value).reduce((n: number, inner) => n + (Array.isArray(inner) ? inner.length : 1), 0)
      : 1

const patchValue = z
  .unknown()
  .refine(
    (value) =>
      typeof value !== 'object' || value === null || Array.isArray(value) || Object.keys(value).length <= maxNames,
    `must name at most ${maxNames} attributes`,
  )
  .meta({ description: `lists of at most ${maxScimMembers} elements, counted over all operations` })

/** No operation changes nothing; the validator of Entra sends such a one. */
export const scimPatch = anyCase({
  schemas,
  Operations: z
    .array(anyCase({ op: text(16), path: text(1000).nullish(), value: patchValue.optional() }))
    .max(maxScimOperations)
    .refine(
      (operations) =>
        operations.reduce((n, { value }) => n + elementsIn(value), 0) <= maxScimMembers + maxScimOperations,
      `must name at most ${maxScimMembers} elements together`,
    ),
})

const filter = text(2000).meta({ description: 'RFC 7644, section 3.4.2.2' })
const names = text(2000).meta({ description: 'names of attributes with commas between them' })
const whole = {
  startIndex: 'position of the first resource, from 1',
  count: `resources in this answer, at most ${maxScimPage}`,
}

export const scimSelect = z.object({ attributes: names.optional(), excludedAttributes: names.optional() })
export const scimListQuery = scimSelect.extend({
  filter: filter.optional(),
  startIndex: z.coerce.number().int().max(1_000_000_000).default(1).meta({ description: whole.startIndex }),
  count: z.coerce.number().int().max(1_000_000_000).default(100).meta({ description: whole.count }),
})
const nameList = z.array(text(256)).max(100)
export const scimSearch = anyCase({
  schemas,
  filter: filter.nullish(),
  attributes: nameList.nullish(),
  excludedAttributes: nameList.nullish(),
  startIndex: z.number().int().max(1_000_000_000).default(1),
  count: z.number().int().max(1_000_000_000).default(100),
})

const meta = z.object({
  resourceType: z.string(),
  created: instant.optional(),
  lastModified: instant.optional(),
  location: z.string(),
  version: z.string().optional().meta({ description: 'the ETag of this state' }),
})
const kept = z.string().optional()
export const scimUser = z
  .object({
    schemas: z.array(z.string()),
    id: z.string(),
    externalId: kept,
    meta: meta.optional(),
    userName: kept,
    active: z.boolean().optional(),
    name: z
      .object({
        formatted: kept,
        familyName: kept,
        givenName: kept,
        middleName: kept,
        honorificPrefix: kept,
        honorificSuffix: kept,
      })
      .optional(),
    displayName: kept,
    title: kept,
    userType: kept,
    preferredLanguage: kept,
    locale: kept,
    timezone: kept,
    emails: z.array(z.object({ value: kept, type: kept, display: kept, primary: z.boolean().optional() })).optional(),
    groups: z.array(z.object({ value: kept, display: kept, $ref: kept, type: kept })).optional(),
    [scimUrns.enterprise]: z
      .object({
        employeeNumber: kept,
        costCenter: kept,
        organization: kept,
        division: kept,
        department: kept,
        manager: z.object({ value: kept, displayName: kept }).optional(),
      })
      .optional(),
  })
  .meta({ id: 'ScimUser' })

export const scimGroup = z
  .object({
    schemas: z.array(z.string()),
    id: z.string(),
    externalId: kept,
    meta: meta.optional(),
    displayName: kept,
    members: z.array(z.object({ value: kept, $ref: kept, type: kept, display: kept })).optional(),
  })
  .meta({ id: 'ScimGroup' })

const listOf = <T extends z.ZodType>(resource: T) =>
  z.object({
    schemas: z.array(z.string()),
    totalResults: z.number().int(),
    startIndex: z.number().int(),
    itemsPerPage: z.number().int(),
    Resources: z.array(resource),
  })
export const scimUsers = listOf(scimUser)
export const scimGroups = listOf(scimGroup)
/** Each is what its `schemas` say: the first of the two would take the other, and lose what it does not know. */
const aGroup = scimGroup.refine(({ schemas }) => schemas.includes(scimUrns.group), 'is no group')
export const scimFound = listOf(z.union([aGroup, scimUser]))

/** Discovery is RFC 7643's own data. */
export const scimDocument = z.looseObject({ schemas: z.array(z.string()) })
export const scimDocuments = listOf(scimDocument)

export const scimTokenMade = z.object({
  token: z.string().meta({ description: 'shown once; what was made before stops at once' }),
  baseUrl: z.string(),
  createdAt: instant,
})
