/**
 * What two identity providers send, in their own order and with their own oddities, and what they take for an answer. Written
 * after their documentation (Entra: "Develop and plan provisioning for a SCIM endpoint"; Okta: "SCIM 2.0 protocol").
 * `{ana}` stands for the id that the step `ana` was answered with.
 */
export interface Step {
  readonly step: string
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly body?: object
  readonly expect: readonly number[]
  /** What the answer must hold. */
  readonly answer?: object
  /** The id in the answer is called so from here on. */
  readonly keep?: string
}

const user = 'urn:ietf:params:scim:schemas:core:2.0:User'
const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'
const group = 'urn:ietf:params:scim:schemas:core:2.0:Group'
const patch = (...Operations: object[]) => ({
  schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
  Operations,
})
const done = [200, 204]

const ana = {
  schemas: [user, enterprise],
  externalId: 'ana',
  userName: 'Ana@Example.org',
  active: true,
  emails: [{ primary: true, type: 'work', value: 'ana@example.org' }],
  meta: { resourceType: 'User' },
  name: { formatted: 'Ana Lima', familyName: 'Lima', givenName: 'Ana' },
  roles: [],
}

export const entra: readonly Step[] = [
  {
    step: 'test connection',
    method: 'GET',
    path: '/Users?filter=userName+eq+%22a1b2c3d4-0000-4000-8000-1f2e3d4c5b6a%22',
    expect: [200],
    answer: { totalResults: 0, Resources: [] },
  },
  { step: 'match', method: 'GET', path: '/Users?filter=externalId+eq+%22ana%22', expect: [200] },
  {
    step: 'create',
    method: 'POST',
    path: '/Users',
    body: ana,
    expect: [201],
    keep: 'ana',
    answer: { userName: 'Ana@Example.org', externalId: 'ana', active: true, name: { givenName: 'Ana' } },
  },
  {
    step: 'create again',
    method: 'POST',
    path: '/Users',
    body: ana,
    expect: [409],
    answer: { scimType: 'uniqueness', status: '409' },
  },
  {
    step: 'match by name in other capitals',
    method: 'GET',
    path: '/Users?filter=userName+eq+%22ANA@example.ORG%22',
    expect: [200],
    answer: { totalResults: 1, Resources: [{ id: '{ana}' }] },
  },
  {
    step: 'several attributes, older client',
    method: 'PATCH',
    path: '/Users/{ana}',
    body: patch(
      { op: 'Replace', path: 'displayName', value: 'Ana L' },
      { op: 'Replace', path: 'emails[type eq "work"].value', value: 'ana.l@example.org' },
      { op: 'Add', path: 'emails[type eq "home"].value', value: 'ana@home.example' },
      { op: 'Replace', path: 'name.givenName', value: 'Anna' },
      { op: 'Replace', path: `${enterprise}:employeeNumber`, value: '77' },
    ),
    expect: done,
    answer: {
      displayName: 'Ana L',
      name: { givenName: 'Anna', familyName: 'Lima' },
      emails: [
        { type: 'work', value: 'ana.l@example.org', primary: true },
        { type: 'home', value: 'ana@home.example' },
      ],
      [enterprise]: { employeeNumber: '77' },
    },
  },
  {
    step: 'several attributes, newer client',
    method: 'PATCH',
    path: '/Users/{ana}',
    body: patch({
      op: 'replace',
      value: { displayName: 'Ana B', 'name.givenName': 'Ana', [`${enterprise}:employeeNumber`]: '78' },
    }),
    expect: done,
    answer: { displayName: 'Ana B', name: { givenName: 'Ana' }, [enterprise]: { employeeNumber: '78' } },
  },
  {
    step: 'manager, as a text',
    method: 'PATCH',
    path: '/Users/{ana}',
    body: patch({ op: 'Add', path: `${enterprise}:manager`, value: 'mem_other' }),
    expect: done,
    answer: { [enterprise]: { manager: { value: 'mem_other' } } },
  },
  {
    step: 'by an address',
    method: 'GET',
    path: '/Users?filter=emails%5Btype+eq+%22home%22%5D.value+eq+%22x%22',
    expect: [400],
    answer: { scimType: 'invalidFilter' },
  },
  {
    step: 'by an address, in brackets',
    method: 'GET',
    path: '/Users?filter=emails%5Btype+eq+%22home%22+and+value+eq+%22ANA%40home.example%22%5D',
    expect: [200],
    answer: { totalResults: 1 },
  },
  {
    step: 'disable, older client',
    method: 'PATCH',
    path: '/Users/{ana}',
    body: patch({ op: 'Replace', path: 'active', value: 'False' }),
    expect: done,
    answer: { active: false },
  },
  {
    step: 'enable',
    method: 'PATCH',
    path: '/Users/{ana}',
    body: patch({ op: 'Replace', path: 'active', value: 'True' }),
    expect: done,
    answer: { active: true },
  },
  {
    step: 'disable, newer client',
    method: 'PATCH',
    path: '/Users/{ana}',
    body: patch({ op: 'replace', path: 'active', value: false }),
    expect: done,
    answer: { active: false },
  },
  {
    step: 'still readable when inactive',
    method: 'GET',
    path: '/Users/{ana}',
    expect: [200],
    answer: { active: false, displayName: 'Ana B' },
  },
  {
    step: 'group',
    method: 'POST',
    path: '/Groups',
    body: {
      schemas: [group, 'http://schemas.microsoft.com/2006/11/ResourceManagement/ADSCIM/2.0/Group'],
      externalId: 'g-1',
      displayName: 'Reviewers',
      meta: { resourceType: 'Group' },
    },
    expect: [201],
    keep: 'group',
    answer: { displayName: 'Reviewers', externalId: 'g-1' },
  },
  {
    step: 'group by name',
    method: 'GET',
    path: '/Groups?excludedAttributes=members&filter=displayName+eq+%22reviewers%22',
    expect: [200],
    answer: { totalResults: 1, Resources: [{ id: '{group}' }] },
  },
  {
    step: 'member added',
    method: 'PATCH',
    path: '/Groups/{group}',
    body: patch({ op: 'Add', path: 'members', value: [{ $ref: null, value: '{ana}' }] }),
    expect: done,
  },
  {
    step: 'is a member',
    method: 'GET',
    path: '/Groups?filter=id+eq+%22{group}%22+and+members+eq+%22{ana}%22&attributes=id',
    expect: [200],
    answer: { totalResults: 1, Resources: [{ id: '{group}' }] },
  },
  {
    step: 'the person shows the group',
    method: 'GET',
    path: '/Users/{ana}?attributes=groups.display',
    expect: [200],
    answer: { groups: [{ display: 'Reviewers' }] },
  },
  {
    step: 'somebody else removed, older client',
    method: 'PATCH',
    path: '/Groups/{group}',
    body: patch({ op: 'Remove', path: 'members', value: [{ $ref: null, value: 'mem_other' }] }),
    expect: done,
  },
  {
    step: 'only those who were named',
    method: 'GET',
    path: '/Groups/{group}',
    expect: [200],
    answer: { members: [{ value: '{ana}' }] },
  },
  {
    step: 'member removed, newer client',
    method: 'PATCH',
    path: '/Groups/{group}',
    body: patch({ op: 'remove', path: 'members[value eq "{ana}"]' }),
    expect: done,
  },
  {
    step: 'no longer a member',
    method: 'GET',
    path: '/Groups?filter=members+eq+%22{ana}%22',
    expect: [200],
    answer: { totalResults: 0 },
  },
  { step: 'hard delete', method: 'DELETE', path: '/Users/{ana}', expect: [204] },
  { step: 'gone', method: 'GET', path: '/Users/{ana}', expect: [404], answer: { status: '404' } },
  { step: 'gone for good', method: 'DELETE', path: '/Users/{ana}', expect: [404] },
  {
    step: 'gone from the list',
    method: 'GET',
    path: '/Users?filter=externalId+eq+%22ana%22',
    expect: [200],
    answer: { totalResults: 0 },
  },
  {
    step: 'hired again',
    method: 'POST',
    path: '/Users',
    body: ana,
    expect: [201],
    answer: { id: '{ana}', active: true },
  },
]

const test = {
  schemas: [user],
  userName: 'test.user@okta.example',
  name: { givenName: 'Test', familyName: 'User' },
  emails: [{ primary: true, value: 'test.user@okta.example', type: 'work' }],
  displayName: 'Test User',
  locale: 'en-US',
  externalId: '00uexample',
  groups: [],
  password: 'ignored-by-us',
  active: true,
}

export const okta: readonly Step[] = [
  {
    step: 'test connector',
    method: 'GET',
    path: '/Users?startIndex=1&count=2',
    expect: [200],
    answer: { startIndex: 1 },
  },
  {
    step: 'test connector',
    method: 'GET',
    path: '/Groups?startIndex=1&count=100',
    expect: [200],
    answer: { startIndex: 1 },
  },
  {
    step: 'match',
    method: 'GET',
    path: '/Users?filter=userName%20eq%20%22test.user%40okta.example%22&startIndex=1&count=100',
    expect: [200],
    answer: { totalResults: 0, itemsPerPage: 0 },
  },
  {
    step: 'create',
    method: 'POST',
    path: '/Users',
    body: test,
    expect: [201],
    keep: 'test',
    answer: { locale: 'en-US' },
  },
  {
    step: 'create another',
    method: 'POST',
    path: '/Users',
    body: { ...test, userName: 'second@okta.example', emails: [], externalId: '00usecond' },
    expect: [201],
    keep: 'second',
  },
  {
    step: 'update (custom app: always PUT)',
    method: 'PUT',
    path: '/Users/{test}',
    body: {
      schemas: [user],
      id: '{test}',
      userName: 'test.user@okta.example',
      name: { givenName: 'Another', middleName: '', familyName: 'User' },
      emails: [{ primary: true, value: 'test.user@okta.example', type: 'work', display: 'test.user@okta.example' }],
      active: true,
      groups: [],
      meta: { resourceType: 'User' },
    },
    expect: [200],
    answer: { name: { givenName: 'Another' }, active: true },
  },
  {
    step: 'deactivate (custom app)',
    method: 'PUT',
    path: '/Users/{test}',
    body: { schemas: [user], id: '{test}', userName: 'test.user@okta.example', active: false, groups: [] },
    expect: [200],
    answer: { active: false },
  },
  {
    step: 'activate (catalogue app)',
    method: 'PATCH',
    path: '/Users/{test}',
    body: patch({ op: 'replace', value: { active: true } }),
    expect: done,
    answer: { active: true },
  },
  {
    step: 'group push',
    method: 'POST',
    path: '/Groups',
    body: { schemas: [group], displayName: 'Test SCIMv2', members: [] },
    expect: [201],
    keep: 'group',
  },
  {
    step: 'the same group again',
    method: 'POST',
    path: '/Groups',
    body: { schemas: [group], displayName: 'TEST scimv2', members: [] },
    expect: [409],
    answer: { scimType: 'uniqueness' },
  },
  {
    step: 'rename, sent at every change of members',
    method: 'PATCH',
    path: '/Groups/{group}',
    body: patch({ op: 'replace', value: { id: '{group}', displayName: 'Test SCIMv2' } }),
    expect: done,
  },
  {
    step: 'members',
    method: 'PATCH',
    path: '/Groups/{group}',
    body: patch(
      { op: 'remove', path: 'members[value eq "{second}"]' },
      { op: 'add', path: 'members', value: [{ value: '{test}', display: 'test.user@okta.example' }] },
    ),
    expect: done,
  },
  {
    step: 'all members',
    method: 'PATCH',
    path: '/Groups/{group}',
    body: patch({ op: 'replace', path: 'members', value: [{ value: '{second}', display: 'x' }] }),
    expect: done,
  },
  {
    step: 'members (custom app)',
    method: 'PUT',
    path: '/Groups/{group}',
    body: {
      schemas: [group],
      id: '{group}',
      displayName: 'Test SCIMv2',
      members: [{ value: '{second}', display: 'x' }, { value: '{test}' }],
    },
    expect: [200],
    answer: { members: [{ value: '{test}' }, { value: '{second}' }] },
  },
  {
    step: 'import paging',
    method: 'GET',
    path: '/Users?startIndex=101&count=100',
    expect: [200],
    answer: { Resources: [] },
  },
  { step: 'unlink group', method: 'DELETE', path: '/Groups/{group}', expect: [204] },
]
