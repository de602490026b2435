import { type EndpointId, type EndpointSpec, endpoint } from '@integrity/protocol'
import { byKey, type Example, type MakeExample, ofKey, ofOrg } from './examples/example.ts'
import { examplesOfDomains } from './generated/examples.ts'
import { invitationExamples } from './invitations.ts'
import { withPublished } from './releases.ts'
import type { World } from './world.ts'

export type { Example } from './examples/example.ts'

/**
 * A valid request for every endpoint: one without an example does not compile. Those of a domain are in `examples/<domain>.examples.ts`;
 * of scheduling and invitations in `invitations.ts`; of a domain that needs a line or two, here.
 */
export const examples: { readonly [Id in EndpointId]: MakeExample } = {
  'health.live': () => ({}),
  'health.ready': () => ({}),
  'orgs.self': (world) => ({ headers: byKey(world) }),
  'orgs.me': (world) => ({ headers: byKey(world) }),
  'sessions.report': ofKey,
  'sessions.reviewStatus': ofKey,
  'updates.manifest': async (world) => {
    await withPublished(world.server)
    return { query: { app: 'desktop_agent' } }
  },
  'updates.securityPolicy': async (world) => {
    await withPublished(world.server)
    return {}
  },
  'events.list': (world) => ({ headers: byKey(world) }),
  'events.stream': (world) => ({ headers: byKey(world) }),
  'portal.events.list': async (world) => ({ ...(await ofOrg(world)), query: { environment: world.scope.environment } }),
  'portal.events.stream': ofOrg,
  ...invitationExamples,
  ...examplesOfDomains,
}

/** The example as it goes over the wire. */
export const makeExample = async (world: World, id: EndpointId): Promise<Example> => {
  const example = await examples[id](world)
  if (example.json === undefined) return example
  return specOf(id).form ? withForm(example, example.json) : withJson(example, example.json)
}

const formType = 'application/x-www-form-urlencoded'
const withForm = (example: Example, json: Readonly<Record<string, unknown>>): Example => ({
  ...example,
  headers: { ...example.headers, 'content-type': formType },
  payload: new URLSearchParams(Object.entries(json).map(([name, value]) => [name, String(value)])).toString(),
})

/** A form stays a form. */
export const withJson = (example: Example, json: unknown): Example =>
  example.headers?.['content-type'] === formType
    ? withForm(example, Object(json) as Record<string, unknown>)
    : {
        ...example,
        headers: { ...example.headers, 'content-type': 'application/json' },
        payload: JSON.stringify(json),
      }

export const specOf = (id: EndpointId): EndpointSpec => endpoint(id)
