import type { Oidc, OidcClaims } from '../../src/platform/oidc/oidc.ts'

export const oidcIssuer = 'https://op.example'
let people = 0

/** An identity provider without a network: whoever brings the code `good` is somebody new of sso.example. */
export const createScriptedOidc = (): Oidc => ({
  beginAt: async ({ issuer }, { state }) => `${issuer}/authorize?state=${state}`,
  take: async () => {
    people += 1
    const claims: OidcClaims = {
      sub: `scripted-${people}`,
      email: `scripted${people}@sso.example`,
      email_verified: true,
    }
    return claims
  },
  probe: async () => [
    { name: 'discovery', ok: true },
    { name: 'keys', ok: true },
  ],
})
