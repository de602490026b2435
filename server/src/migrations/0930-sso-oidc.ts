import type { Migration } from '../platform/db/migrate.ts'

/** A sign-in by OpenID Connect: the issuer where it began, and its wrapped code verifier. */
export const ssoOidc: Migration = {
  name: '0930-sso-oidc',
  async up(h) {
    for (const column of ['issuer', 'wrapped_verifier'])
      await h.sql(`ALTER TABLE sso_requests ADD COLUMN ${column} text`)
  },
  async down(h) {
    for (const column of ['wrapped_verifier', 'issuer']) await h.sql(`ALTER TABLE sso_requests DROP COLUMN ${column}`)
  },
}
