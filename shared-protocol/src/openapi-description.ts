import type { AuthRule } from './core/auth.ts'
import { type EndpointSpec, obeysKey, refusesUnknown } from './core/endpoint.ts'

const callers: Readonly<Record<AuthRule['kind'], string>> = {
  api_key: 'an API key',
  user: 'a signed-in member',
  account: 'a signed-in person',
  desk_operator: 'a signed-in operator of the access desk',
  refresh: 'the refresh cookie of a sign-in',
  agent: "the agent's token of this session",
  companion: "the phone's token of this session",
  room: "the room's token of this session",
  link: 'the token of a link',
  download: 'the token of a download URL',
  scim: 'a SCIM token',
  assessment: 'the key of a connection for assessments (Basic, as the user name)',
  anonymous: 'anybody, without a credential',
}

const callerOf = (rule: AuthRule): string => {
  if (rule.kind === 'api_key') return `${callers.api_key} with the scope \`${rule.scope}\``
  if (rule.kind === 'user' && rule.permission) {
    const named = [rule.permission, rule.orPermission].filter((name) => name !== undefined)
    return `${callers.user} with the permission ${named.map((name) => `\`${name}\``).join(' or ')}`
  }
  return callers[rule.kind]
}

/** What the declaration says beyond the summary, in sentences. */
export const descriptionOf = (endpoint: EndpointSpec): string => {
  const told = endpoint.auth.some((rule) => refusesUnknown(endpoint, rule.kind))
  return [
    `${endpoint.summary}${endpoint.details ? ` ${endpoint.details}` : ''}\n\nFor ${endpoint.auth.map(callerOf).join(', or ')}.`,
    ...(endpoint.emits ? [`May publish ${endpoint.emits.map((type) => `\`${type}\``).join(', ')}.`] : []),
    ...(obeysKey(endpoint) ? ['Repeatable under an `Idempotency-Key`.'] : []),
    told ? 'Unknown fields are rejected.' : 'Unknown fields are ignored.',
    ...(endpoint.kind === 'bytes' ? ['A good answer is the file itself, without the envelope; a refusal has it.'] : []),
    ...(endpoint.bare ? ['A good answer is the data itself, without the envelope; a refusal has it.'] : []),
    ...(endpoint.additive ? ['Beyond the published interface.'] : []),
  ].join(' ')
}
