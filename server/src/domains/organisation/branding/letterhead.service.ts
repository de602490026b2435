import { ownPalette } from '@integrity/protocol'
import { readableAccent } from '@integrity/protocol/clients/contrast'
import type { Needs } from '../../../kernel/call.ts'
import type { LetterLook } from '../../../platform/mail/letter.ts'
import { orgInMail } from '../../../platform/mail/plain-text.ts'
import type { Letterhead } from '../../../platform/pdf/pdf.types.ts'
import { getOrg } from '../orgs/orgs.service.ts'
import { getBrand } from './branding.service.ts'
import { findLogo } from './branding.store.ts'
import type { BrandRow, TypedBrand } from './branding.types.ts'
import { shrunkLogo } from './logo.model.ts'

/** An organisation as its mails show it. */
export interface MailBrand {
  readonly name: string
  /** Whom to ask about data. */
  readonly contact: string | undefined
  readonly welcome: string | undefined
  readonly look: LetterLook
}

/** As high as some lines; a picture of twice the size is sharp on every screen. */
const logoBox = { width: 160, height: 48 }

const readLogo = async (call: Needs<'reader'>, orgId: string) => {
  const kept = await findLogo(call.reader, orgId)
  return kept && { cid: `${kept.sha256.slice(0, 16)}@logo`, ...(await shrunkLogo(kept.png, logoBox)) }
}

/** Whose brand, and what somebody types in its place. */
interface Branded {
  readonly orgId: string
  readonly typed?: TypedBrand | undefined
}

/** The brand that is set, or the one that somebody types. */
const brandFor = async (call: Needs<'reader'>, { orgId, typed }: Branded): Promise<BrandRow> => {
  const brand = await getBrand(call, orgId)
  if (!typed) return brand
  const { displayName, privacyContact, welcome, accent, accentText, background, text } = typed
  const palette = accent && accentText && background && text && { accent, accentText, background, text }
  return { ...brand, config: { displayName, privacyContact, welcome, ...(palette && { palette }) } }
}

/** What is put on mails: the logo comes with them, so that opening one tells nobody. */
export const mailBrandOf = async (call: Needs<'reader'>, of: Branded): Promise<MailBrand> => {
  const { orgId } = of
  const { name: ownName, config } = await brandFor(call, of)
  const { displayName = ownName, palette, privacyContact: contact, welcome } = config
  const name = orgInMail(displayName) || (await getOrg(call, orgId)).slug
  const { accent, accentText } = palette ?? ownPalette
  const logo = await readLogo(call, orgId)
  return { name, contact, welcome, look: { name, accent, accentText, ...(logo && { logo }) } }
}

/** What is put on paper, which is white. */
export const letterheadOf = async (call: Needs<'reader'>, of: Branded): Promise<Letterhead> => {
  const { name: ownName, config } = await brandFor(call, of)
  const { displayName: name = ownName, palette = ownPalette } = config
  const accent = readableAccent(palette.accent, '#ffffff') ?? ownPalette.accent
  const logo = await readLogo(call, of.orgId)
  if (!logo) return { name, accent }
  const { png, width, height } = logo
  return { name, accent, logo: { png: png.toString('base64'), width, height } }
}
