import type { EndpointSpec } from './core/endpoint.ts'
import { endpointsOfDomains } from './generated/endpoints.ts'

/** Every endpoint. Everything else about them is derived from here. */
export const endpoints = Object.freeze(endpointsOfDomains)

type Declared = (typeof endpoints)[number]
export type EndpointId = Declared['id']
/** Endpoints by id, as types: `EndpointMap['sessions.get']`. */
export type EndpointMap = { readonly [E in Declared as E['id']]: E }

const byId = new Map<string, EndpointSpec>(endpoints.map((endpoint) => [endpoint.id, endpoint]))

export const endpoint = <Id extends EndpointId>(id: Id): EndpointMap[Id] => byId.get(id) as unknown as EndpointMap[Id]
