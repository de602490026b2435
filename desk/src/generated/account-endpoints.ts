// Generated from the registry by `npm run generate`.
/** Method, path, and the kind of what is sent or answered where it is not JSON. */
export const endpointTable = {
  'sso.agree': 'POST /v1/auth/sso/agree',
  'sso.agreeLink': 'POST /v1/auth/sso/agree-link',
  'auth.login': 'POST /v1/auth/login',
  'auth.login.secondFactor': 'POST /v1/auth/login/second-factor',
  'auth.logout': 'POST /v1/auth/logout',
  'auth.me': 'GET /v1/auth/me',
  'auth.me.rename': 'PATCH /v1/auth/me',
  'auth.refresh': 'POST /v1/auth/refresh',
  'auth.factors.list': 'GET /v1/auth/factors',
  'auth.factors.totp.begin': 'POST /v1/auth/factors/totp',
  'auth.factors.totp.confirm': 'POST /v1/auth/factors/totp/confirm',
  'auth.factors.passkeys.begin': 'POST /v1/auth/factors/passkeys/options',
  'auth.factors.passkeys.add': 'POST /v1/auth/factors/passkeys',
  'auth.factors.recoveryCodes.renew': 'POST /v1/auth/factors/recovery-codes',
  'auth.factors.remove': 'POST /v1/auth/factors/{factorId}/remove',
  'auth.signIns.list': 'GET /v1/auth/sign-ins',
  'auth.signIns.end': 'DELETE /v1/auth/sign-ins/{signInId}',
  'auth.signIns.endOthers': 'DELETE /v1/auth/sign-ins',
  'sso.discover': 'POST /v1/auth/sso/discover',
  'sso.ldap': 'POST /v1/auth/sso/ldap',
} as const
