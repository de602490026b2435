import { ownPalette } from '@integrity/protocol'
import type { Config } from '../../../kernel/config.ts'
import { isoOrNull } from '../../../kernel/time.ts'
import type { BrandRow, LogoRow } from './branding.types.ts'

/** Another picture has another address, so each may be kept forever. */
export const logoUrl = ({ baseUrl }: Pick<Config, 'baseUrl'>, orgId: string, { sha256 }: LogoRow): string =>
  `${baseUrl}/v1/orgs/${orgId}/branding/logo?v=${sha256.slice(0, 16)}`

export const logoView = (config: Pick<Config, 'baseUrl'>, orgId: string, logo: LogoRow) => ({
  url: logoUrl(config, orgId, logo),
  contentType: 'image/png' as const,
  ...logo,
})

export const publicBrandView = (at: Pick<Config, 'baseUrl'>, { orgId, name, config, logo }: BrandRow) => ({
  orgId,
  displayName: config.displayName ?? name,
  palette: config.palette ?? ownPalette,
  logo: logo && logoView(at, orgId, logo),
  privacyContact: config.privacyContact ?? null,
  welcome: config.welcome ?? null,
})

export const brandingView = (at: Pick<Config, 'baseUrl'>, brand: BrandRow) => ({
  config: { ...brand.config, updatedAt: isoOrNull(brand.updatedAt) },
  resolved: publicBrandView(at, brand),
  version: brand.updatedAt ?? 0,
})
