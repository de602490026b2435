import type { ApiScope, Permission } from '@integrity/protocol'

const films = ['composition.view', 'evidence.export'] as const

/** What a person must be allowed to do before they may hand it to a key. */
const needed: Readonly<Record<ApiScope, readonly Permission[]>> = {
  'org:read': [],
  'sessions:read': ['session.view'],
  'sessions:write': ['session.create', 'session.manage'],
  'evidence:read': ['evidence.view', ...films],
  'reports:read': ['report.view'],
  'webhooks:read': ['webhook.manage'],
  'webhooks:write': ['webhook.manage'],
  'events:read': ['session.view'],
}

/** The scopes that reach further than their maker's own permissions: a key is no way to more. */
export const exceedingScopes = (scopes: readonly ApiScope[], held: readonly Permission[]): ApiScope[] =>
  scopes.filter((scope) => needed[scope].some((permission) => !held.includes(permission)))
