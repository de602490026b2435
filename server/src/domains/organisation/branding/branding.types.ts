import type { brandingConfig } from '@integrity/protocol'
import type * as z from 'zod'

export type BrandConfig = z.output<typeof brandingConfig>

/** A brand as it is typed: the four colours, or none of them. */
export interface TypedBrand extends Omit<BrandConfig, 'palette'> {
  readonly accent?: string | undefined
  readonly accentText?: string | undefined
  readonly background?: string | undefined
  readonly text?: string | undefined
}

export interface LogoRow {
  readonly sha256: string
  readonly width: number
  readonly height: number
  readonly sizeBytes: number
}

/** What an organisation has set, and its name without it. */
export interface BrandRow {
  readonly orgId: string
  readonly name: string
  readonly config: BrandConfig
  readonly updatedAt: number | null
  readonly logo: LogoRow | null
}
