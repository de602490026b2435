import { notFound } from '@integrity/protocol'
import { beginAtOidc } from './oidc.service.ts'
import { beginAtProvider } from './saml.service.ts'
import { ssoOrgOf } from './sso.service.ts'

/** Begins a sign-in at the organisation's identity provider, by SAML or by OpenID Connect. */
export const beginSignIn = async (
  call: Parameters<typeof beginAtProvider>[0] & Parameters<typeof beginAtOidc>[0],
  { slug, returnTo }: { readonly slug: string; readonly returnTo: string | undefined },
): Promise<{ readonly url: string; readonly keep: string | undefined }> => {
  const kind = (await ssoOrgOf(call, slug))?.connection.settings.kind
  if (kind === 'saml') return beginAtProvider(call, { slug, returnTo })
  if (kind === 'oidc') return beginAtOidc(call, { slug, returnTo })
  throw notFound('single sign-on')
}
