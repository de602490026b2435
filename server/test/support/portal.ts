import { builtInRoles, type Permission, permissions } from '@integrity/protocol'
import type { PortalAuthenticator } from '../../src/app/context.ts'

/**
 * Portal users for tests, until portal login exists: a port's fake. The cookie says whom to be:
 * `test-user=<orgId>/<environment>/<role>`.
 */
export const testPortal: PortalAuthenticator = {
  authenticate: async (headers) => {
    const match = /test-user=([^/;]+)\/(live|sandbox)\/(\w+)/.exec(String(headers['cookie'] ?? ''))
    const [, orgId, environment, role] = match ?? []
    if (!orgId || !role || !(builtInRoles as readonly string[]).includes(role)) return undefined
    const held = Object.entries(permissions).filter(([, p]) => (p.roles as readonly string[]).includes(role))
    return {
      kind: 'user',
      id: `usr_${role}`,
      orgId,
      environment: environment === 'live' ? 'live' : 'sandbox',
      email: `${role}@example.org`,
      permissions: held.map(([name]) => name as Permission),
    }
  },
}

export const portalCookie = (orgId: string, role: string, environment: 'live' | 'sandbox' = 'sandbox') => ({
  cookie: `test-user=${orgId}/${environment}/${role}`,
})
