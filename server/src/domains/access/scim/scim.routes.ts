import { scimUrns } from '@integrity/protocol'
import { type HandlerMap, Reply } from '../../../kernel/handler.ts'
import { readScimCalls } from './calls.service.ts'
import { oneOf, provider, resourceTypes, schemas } from './discovery.model.ts'
import { createGroup, getGroup, groupsSource, patchGroup, removeGroup, replaceGroup } from './groups.service.ts'
import { type ListQuery, listOf } from './lists.service.ts'
import { type Selection, selected, selectionOf, userInput } from './resource.model.ts'
import { issueScimToken, revokeScimToken } from './tokens.service.ts'
import { createUser, deleteUser, getUser, patchUser, replaceUser, usersSource } from './users.service.ts'

const nothing = new Reply(null, { status: 204 })

const whole = <T extends object>(resources: readonly T[]) => ({
  schemas: [scimUrns.list],
  totalResults: resources.length,
  startIndex: 1,
  itemsPerPage: resources.length,
  Resources: [...resources] as (T & { schemas: string[] })[],
})

interface Placed {
  readonly meta: { readonly location: string; readonly version: string }
}
const created = <T extends Placed>(view: T, query: Parameters<typeof selectionOf>[0]) => {
  const { location, version } = view.meta
  return new Reply(selected(view, selectionOf(query)), { headers: { Location: location }, etag: version })
}
const one = <T extends Placed>(view: T, query: Parameters<typeof selectionOf>[0]) =>
  new Reply(selected(view, selectionOf(query)), { etag: view.meta.version })

const asked = ({
  attributes,
  excludedAttributes,
  ...rest
}: Parameters<typeof selectionOf>[0] & Omit<ListQuery, keyof Selection>) => ({
  ...rest,
  ...selectionOf({ attributes, excludedAttributes }),
})

interface Searched {
  readonly filter?: string | null | undefined
  readonly attributes?: readonly string[] | null | undefined
  readonly excludedAttributes?: readonly string[] | null | undefined
  readonly startIndex: number
  readonly count: number
}
const searched = ({ attributes, excludedAttributes, ...rest }: Searched): ListQuery => ({
  ...rest,
  attributes: attributes ?? undefined,
  excludedAttributes: excludedAttributes ?? undefined,
})

export const scimRoutes = {
  'portal.scim.issueToken': { write: (call) => issueScimToken(call) },
  'portal.scim.revokeToken': {
    write: async (call) => {
      await revokeScimToken(call)
      return { deleted: true as const }
    },
  },
  'portal.scim.calls': { read: (call) => readScimCalls(call) },
  'scim.provider': { read: async (call) => provider(call.config.baseUrl) },
  'scim.resourceTypes.list': { read: async (call) => whole(resourceTypes(call.config.baseUrl)) },
  'scim.resourceTypes.get': {
    read: async (call, { params }) => oneOf(resourceTypes(call.config.baseUrl), params.typeId, 'resource type'),
  },
  'scim.schemas.list': { read: async (call) => whole(schemas(call.config.baseUrl)) },
  'scim.schemas.get': {
    read: async (call, { params }) => oneOf(schemas(call.config.baseUrl), params.schemaId, 'schema'),
  },
  'scim.search': {
    read: (call, { body }) => {
      const query = searched(body)
      return listOf<object>(query, [
        usersSource(call, { query, lenient: true }),
        groupsSource(call, { query, lenient: true }),
      ]) as never
    },
  },
  'scim.users.list': {
    read: (call, { query }) => listOf(asked(query), [usersSource(call, { query })]),
  },
  'scim.users.search': { read: (call, { body }) => listOf(searched(body), [usersSource(call, { query: body })]) },
  'scim.users.get': {
    read: async (call, { params, query }) => one(await getUser(call, params.userId), query),
  },
  'scim.users.create': {
    write: async (call, { query, body }) => created(await createUser(call, userInput(body)), query),
  },
  'scim.users.replace': {
    write: async (call, { params, query, body }) =>
      one(await replaceUser(call, { id: params.userId, input: userInput(body) }), query),
  },
  'scim.users.patch': {
    write: async (call, { params, query, body }) =>
      one(await patchUser(call, { id: params.userId, operations: body.Operations }), query),
  },
  'scim.users.delete': {
    write: async (call, { params }) => {
      await deleteUser(call, params.userId)
      return nothing
    },
  },
  'scim.groups.list': {
    read: (call, { query }) => listOf(asked(query), [groupsSource(call, { query: asked(query) })]),
  },
  'scim.groups.search': {
    read: (call, { body }) => {
      const query = searched(body)
      return listOf(query, [groupsSource(call, { query })])
    },
  },
  'scim.groups.get': {
    read: async (call, { params, query }) =>
      one(await getGroup(call, { id: params.groupId, selection: selectionOf(query) }), query),
  },
  'scim.groups.create': { write: async (call, { query, body }) => created(await createGroup(call, body), query) },
  'scim.groups.replace': {
    write: async (call, { params, query, body }) => one(await replaceGroup(call, { id: params.groupId, body }), query),
  },
  'scim.groups.patch': {
    write: async (call, { params, body }) => {
      await patchGroup(call, { id: params.groupId, operations: body.Operations })
      return nothing
    },
  },
  'scim.groups.delete': {
    write: async (call, { params }) => {
      await removeGroup(call, params.groupId)
      return nothing
    },
  },
} satisfies Partial<HandlerMap>
