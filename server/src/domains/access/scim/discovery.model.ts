import { maxScimPage, notFound, scimUrns, wirePaths } from '@integrity/protocol'

type Json = Readonly<Record<string, unknown>>

interface Described {
  readonly type?: 'string' | 'boolean' | 'complex' | 'reference' | 'integer'
  readonly more?: Json
  readonly sub?: readonly Json[]
}

/** One attribute in the words of RFC 7643, section 7. */
const attribute = (name: string, description: string, { type = 'string', more = {}, sub }: Described = {}): Json => ({
  name,
  type,
  multiValued: false,
  description,
  required: false,
  ...(type === 'string' ? { caseExact: false, uniqueness: 'none' } : {}),
  mutability: 'readWrite',
  returned: 'default',
  ...more,
  ...(sub ? { subAttributes: sub } : {}),
})
const texts = (names: Readonly<Record<string, string>>): Json[] =>
  Object.entries(names).map(([name, description]) => attribute(name, description))
const complex = (sub: readonly Json[], more: Json = {}): Described => ({ type: 'complex', more, sub })
const many: Json = { multiValued: true }
const readOnly: Json = { mutability: 'readOnly' }
const flag = (name: string, description: string, more: Json = {}): Json =>
  attribute(name, description, { type: 'boolean', more })
const link = (name: string, to: readonly string[], more: Json = {}): Json =>
  attribute(name, 'Where it is.', { type: 'reference', more: { referenceTypes: to, caseExact: true, ...more } })

const names = texts({
  formatted: 'The full name as it is shown.',
  familyName: 'The family name.',
  givenName: 'The given name.',
  middleName: 'The middle names.',
  honorificPrefix: 'What comes before the name.',
  honorificSuffix: 'What comes after the name.',
})
const userAttributes = [
  attribute('userName', 'What the identity provider calls the person; for a new account, its e-mail address.', {
    more: { required: true, uniqueness: 'server' },
  }),
  attribute('name', 'The parts of the name.', complex(names)),
  ...texts({
    displayName: 'The name as it is shown.',
    title: 'The title in the organisation.',
    userType: 'How the person belongs to the organisation.',
    preferredLanguage: 'The preferred language.',
    locale: 'Where the person is, for formats.',
    timezone: 'The time zone, as in the tz database.',
  }),
  flag('active', 'Whether the person is an active member.'),
  attribute(
    'emails',
    'E-mail addresses.',
    complex(
      [
        ...texts({ value: 'The address.', display: 'The address as it is shown.', type: 'What it is for.' }),
        flag('primary', 'Whether it is the preferred one.'),
      ],
      many,
    ),
  ),
  attribute(
    'groups',
    'The groups the person is in.',
    complex(
      [
        attribute('value', 'The id of the group.', { more: readOnly }),
        link('$ref', ['Group'], readOnly),
        attribute('display', 'The name of the group.', { more: readOnly }),
        attribute('type', 'That it is a member itself.', { more: readOnly }),
      ],
      { ...many, ...readOnly },
    ),
  ),
]
const enterpriseAttributes = [
  ...texts({
    employeeNumber: 'The number of the employee.',
    costCenter: 'The cost centre.',
    organization: 'The organisation.',
    division: 'The division.',
    department: 'The department.',
  }),
  attribute('manager', 'Who the person reports to.', complex(texts({ value: 'The id.', displayName: 'The name.' }))),
]
const groupAttributes = [
  attribute('displayName', 'The name of the group.', { more: { required: true, uniqueness: 'server' } }),
  attribute(
    'members',
    'The members of the group.',
    complex(
      [
        attribute('value', 'The id of the member.', { more: { mutability: 'immutable' } }),
        link('$ref', ['User'], readOnly),
        attribute('type', 'What it is, a User.', { more: readOnly }),
        attribute('display', 'The name of the member.', { more: readOnly }),
      ],
      many,
    ),
  ),
]

const given = (described: readonly Json[]): Json[] => described.map((one) => ({ ...one, mutability: 'readOnly' }))
const supported = complex([flag('supported', 'Whether it is.', readOnly)], readOnly)
const providerAttributes = given([
  attribute('documentationUri', 'Where it is described.', {
    type: 'reference',
    more: { referenceTypes: ['external'] },
  }),
  ...['patch', 'bulk', 'filter', 'changePassword', 'sort', 'etag'].map((name) =>
    attribute(name, 'Whether it is supported.', supported),
  ),
  attribute(
    'authenticationSchemes',
    'How to be let in.',
    complex(given(texts({ type: 'Its kind.', name: 'Its name.', description: 'What it is.' })), many),
  ),
])
const typeAttributes = given([
  ...texts({
    id: 'Its id.',
    name: 'Its name.',
    description: 'What it is.',
    endpoint: 'Its path.',
    schema: 'Its schema.',
  }),
  attribute(
    'schemaExtensions',
    'Schemas that extend it.',
    complex(given([...texts({ schema: 'Its URN.' }), flag('required', 'Whether it must be there.')]), many),
  ),
])
const schemaAttributes = given([
  ...texts({ id: 'Its URN.', name: 'Its name.', description: 'What it is.' }),
  attribute(
    'attributes',
    'Its attributes.',
    complex(given(texts({ name: 'Its name.', type: 'Its type.', description: 'What it is.' })), many),
  ),
])

const placed = (baseUrl: string, resourceType: string, path: string) => ({
  resourceType,
  location: `${baseUrl}${wirePaths.scim}/${path}`,
})

const schemaList: readonly (readonly [id: string, name: string, attributes: readonly Json[]])[] = [
  [scimUrns.user, 'User', userAttributes],
  [scimUrns.enterprise, 'EnterpriseUser', enterpriseAttributes],
  [scimUrns.group, 'Group', groupAttributes],
  [scimUrns.provider, 'ServiceProviderConfig', providerAttributes],
  [scimUrns.resourceType, 'ResourceType', typeAttributes],
  [scimUrns.schema, 'Schema', schemaAttributes],
]

export const schemas = (baseUrl: string) =>
  schemaList.map(([id, name, attributes]) => ({
    schemas: [scimUrns.schema],
    id,
    name,
    description: name,
    attributes,
    meta: placed(baseUrl, 'Schema', `Schemas/${id}`),
  }))

export const resourceTypes = (baseUrl: string) => {
  const of = (name: string, schema: string, more: Json = {}) => ({
    schemas: [scimUrns.resourceType],
    id: name,
    name,
    description: name,
    endpoint: `/${name}s`,
    schema,
    ...more,
    meta: placed(baseUrl, 'ResourceType', `ResourceTypes/${name}`),
  })
  const schemaExtensions = [{ schema: scimUrns.enterprise, required: false }]
  return [of('User', scimUrns.user, { schemaExtensions }), of('Group', scimUrns.group)]
}

export const provider = (baseUrl: string) => ({
  schemas: [scimUrns.provider],
  documentationUri: `${baseUrl}/docs`,
  patch: { supported: true },
  bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
  filter: { supported: true, maxResults: maxScimPage },
  changePassword: { supported: false },
  sort: { supported: false },
  etag: { supported: true },
  authenticationSchemes: [
    {
      type: 'oauthbearertoken',
      name: 'Bearer token',
      description: 'The token that an owner of the organisation made.',
      primary: true,
    },
  ],
  meta: placed(baseUrl, 'ServiceProviderConfig', 'ServiceProviderConfig'),
})

/** One of a list by its id. */
export const oneOf = <T extends { readonly id: string }>(list: readonly T[], id: string, what: string): T => {
  const found = list.find((one) => one.id === id)
  if (!found) throw notFound(what)
  return found
}
