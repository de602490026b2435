import { notFound } from '@integrity/protocol'
import type { By, Needs } from '../../../kernel/call.ts'
import type { ActorOf } from '../../../kernel/identity/actor.ts'
import { checkSeen, laterThan, setMeanwhile } from '../../../kernel/seen.ts'
import { getOrg } from '../orgs/orgs.service.ts'
import { deleteLogo, findBrand, findLogo, saveConfig, saveLogo } from './branding.store.ts'
import type { BrandConfig, BrandRow, LogoRow } from './branding.types.ts'
import { logoUrl } from './branding.view.ts'
import { checkPalette } from './palette.policy.ts'

type Changes = By<ActorOf<'user'>> & Needs<'audit' | 'clock' | 'tx'>

/** What an organisation has set; `not_found` for one that does not exist. */
export const getBrand = async (call: Needs<'reader'>, orgId: string): Promise<BrandRow> => {
  const { name } = await getOrg(call, orgId)
  return { orgId, name, ...(await findBrand(call.reader, orgId)) }
}

/** An organisation as candidates see it, for every page that says who asks. Read each time: a change is seen at once. */
export const brandOf = async (call: Needs<'config' | 'reader'>, { id, name }: { id: string; name: string }) => {
  const { config, logo } = await findBrand(call.reader, id)
  const { displayName, palette, privacyContact, welcome } = config
  return {
    name: displayName ?? name,
    brand: {
      ...(palette && { primaryColor: palette.accent, palette }),
      ...(logo && { logoUrl: logoUrl(call.config, id, logo) }),
      ...(privacyContact !== undefined && { privacyContact }),
      ...(welcome !== undefined && { welcome }),
    },
  }
}

/** The bytes of the logo; `not_found` where there is none. */
export const getLogo = async (call: Needs<'reader'>, orgId: string): Promise<{ sha256: string; png: Buffer }> => {
  const logo = await findLogo(call.reader, orgId)
  if (!logo) throw notFound('logo')
  return logo
}

/** Replaces all that was set but the logo. Throws `conflict` where somebody else has set it since it was seen. */
export const setBrand = async (
  call: Changes,
  { expectedVersion, ...config }: BrandConfig & { readonly expectedVersion?: number | undefined },
): Promise<BrandRow> => {
  if (config.palette) checkPalette(config.palette)
  const { tx, actor } = call
  const { orgId } = actor
  const before = (await findBrand(tx, orgId)).updatedAt ?? 0
  checkSeen({ version: before }, expectedVersion)
  const at = laterThan(before, call.clock.now())
  if (!(await saveConfig(tx, orgId, { config, after: before, at }))) throw setMeanwhile()
  await call.audit.append(
    { tx, scope: { orgId }, actor },
    { action: 'branding.changed', target: orgId, payload: config },
  )
  return getBrand({ reader: tx }, orgId)
}

export const setLogo = async (call: Changes, { logo, png }: { logo: LogoRow; png: Buffer }): Promise<void> => {
  const { tx, actor } = call
  const { orgId } = actor
  await saveLogo(tx, orgId, logo, png)
  const payload = { logo: logo.sha256 }
  await call.audit.append({ tx, scope: { orgId }, actor }, { action: 'branding.changed', target: orgId, payload })
}

/** Also right where there is none. */
export const removeLogo = async (call: Changes): Promise<void> => {
  const { tx, actor } = call
  const { orgId } = actor
  const removed = await deleteLogo(tx, orgId)
  const payload = { logo: null, changed: removed }
  await call.audit.append({ tx, scope: { orgId }, actor }, { action: 'branding.changed', target: orgId, payload })
}
