import type { EndpointSpec } from './core/endpoint.ts'
import { endpointsOfDomains, endpointsOfWings } from './generated/endpoints.ts'

/** Every endpoint. Everything else about them is derived from here. */
export const endpoints = Object.freeze(endpointsOfDomains)

type Declared = (typeof endpoints)[number]
export type EndpointId = Declared['id']
/** Endpoints by id, as types: `EndpointMap['sessions.get']`. */
export type EndpointMap = { readonly [E in Declared as E['id']]: E }

const byId = new Map<string, EndpointSpec>(endpoints.map((endpoint) => [endpoint.id, endpoint]))

export const endpoint = <Id extends EndpointId>(id: Id): EndpointMap[Id] => byId.get(id) as unknown as EndpointMap[Id]

export type Wing = keyof typeof endpointsOfWings

const wingsById = new Map<string, Wing>(
  (Object.keys(endpointsOfWings) as Wing[]).flatMap((wing) =>
    endpointsOfWings[wing].map(({ id }: EndpointSpec) => [id, wing] as const),
  ),
)

/** The wing that the domain of an endpoint stands in; one that is not in the registry stands in none. */
export const wingOf = ({ id }: EndpointSpec): Wing => {
  const wing = wingsById.get(id)
  if (wing === undefined) throw new Error(`${id} is not in the registry`)
  return wing
}
