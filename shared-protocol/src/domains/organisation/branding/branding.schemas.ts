import * as z from 'zod'
import { id, instant, oneLine, sha256Hex } from '../../../core/primitives.ts'
import { expectedVersion } from '../../../core/seen.ts'

const colour = z
  .string()
  .regex(/^#[0-9a-fA-F]{6}$/, 'must be a colour like #1d4f91')
  .meta({ description: '`#rrggbb`' })

export const palette = z.object({
  accent: colour.meta({ description: 'buttons and links, `#rrggbb`' }),
  accentText: colour.meta({ description: 'text on the accent, `#rrggbb`' }),
  background: colour.meta({ description: 'behind a page, `#rrggbb`' }),
  text: colour.meta({ description: 'text on the background, `#rrggbb`' }),
})
export type Palette = z.output<typeof palette>

/** What stands where an organisation has set nothing: the product's own. */
export const ownPalette: Palette = {
  accent: '#1d4f91',
  accentText: '#ffffff',
  background: '#f6f8fa',
  text: '#1b1f24',
}

/** Where somebody can ask. */
export const contact = oneLine(300)
  .regex(
    /^(?:[^\s@<>"?&]+@[^\s@<>"?&]+\.[^\s@<>"?&]+|https:\/\/\S+)$/,
    'must be an e-mail address or an address that begins with https://',
  )
  .meta({ description: 'whom to ask about data: an e-mail address or an https address' })

export const brandingConfig = z.object({
  displayName: oneLine(200).optional().meta({ description: 'in place of the name of the organisation' }),
  palette: palette.optional(),
  privacyContact: contact.optional(),
  welcome: oneLine(500).optional().meta({ description: 'one sentence of your own for candidates' }),
})

export const brandingBody = brandingConfig.extend({ expectedVersion })

/** A brand that is being typed, as an address has it: the four colours, or none. */
export const typedBrand = {
  ...brandingConfig.omit({ palette: true }).shape,
  ...palette.partial().shape,
}

export const logoTypes = ['image/png', 'image/jpeg', 'image/webp'] as const
export const logoSide = 512
export const maxLogoBytes = 2 * 1024 * 1024

export const logo = z
  .object({
    url: z.string().meta({ description: 'an address of this service that changes with the picture' }),
    contentType: z.literal('image/png'),
    width: z.number().int().min(1).max(logoSide),
    height: z.number().int().min(1).max(logoSide),
    sizeBytes: z.number().int().min(1),
    sha256: sha256Hex,
  })
  .meta({ id: 'Logo' })

export const publicBrand = z
  .object({
    orgId: id('org'),
    displayName: z.string(),
    palette,
    logo: logo.nullable(),
    privacyContact: z.string().nullable(),
    welcome: z.string().nullable(),
  })
  .meta({ id: 'PublicBrand', description: "as candidates see it; the product's own where nothing was set" })

export const branding = z
  .object({
    config: brandingConfig.extend({ updatedAt: instant.nullable() }).meta({ description: 'what was set' }),
    resolved: publicBrand,
    version: z
      .number()
      .int()
      .min(0)
      .meta({ description: 'a greater number each time something is set; the logo aside' }),
  })
  .meta({ id: 'Branding' })

export const logoUpload = z.object({
  contentType: z.enum(logoTypes),
  data: z
    .string()
    .min(1)
    .meta({
      description: `the picture, base64; at most ${maxLogoBytes} bytes. It is written anew as PNG, at most ${logoSide} pixels a side, without its metadata`,
    }),
})

export const logoRemoved = z.object({ deleted: z.literal(true) })
