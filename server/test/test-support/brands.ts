import sharp from 'sharp'
import { portal, type Team } from './link-pages.ts'

/** A look with four colours that nothing else has, so that each is known again on a screen. */
export interface TestBrand {
  readonly name: string
  readonly displayName: string
  readonly palette: {
    readonly accent: string
    readonly accentText: string
    readonly background: string
    readonly text: string
  }
  readonly privacyContact: string
  readonly welcome: string
  /** In the logo. */
  readonly shape: string
}

export const testBrands = [
  {
    name: 'light',
    displayName: 'Harbour & Sons',
    palette: { accent: '#9c1458', accentText: '#fffafd', background: '#fdf3e7', text: '#33221b' },
    privacyContact: 'privacy@harbour.example',
    welcome: 'We look forward to meeting you, and we hope that you will enjoy the conversation.',
    shape:
      '<circle cx="32" cy="32" r="26"/><path d="M12 46 Q32 28 52 46" stroke="#fdf3e7" stroke-width="6" fill="none"/>',
  },
  {
    name: 'dark',
    displayName: 'Nordlicht Studio',
    palette: { accent: '#f2c14e', accentText: '#1d1a12', background: '#14213d', text: '#e8ecf5' },
    privacyContact: 'https://nordlicht.example/privacy',
    welcome: 'Have your favourite drink ready. We will bring the questions.',
    shape: '<path d="M32 4 L60 58 H4 Z"/>',
  },
] as const satisfies readonly TestBrand[]

/** A PNG with a transparent ground: the shape in the brand's accent. */
export const logoOf = ({ palette, shape }: TestBrand): Promise<Buffer> => {
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="192" height="192" viewBox="0 0 64 64" fill="${palette.accent}">${shape}</svg>`
  return sharp(Buffer.from(drawing)).png().toBuffer()
}

/** From now on the team's organisation looks like this. */
export const wear = async (team: Team, brand: TestBrand): Promise<void> => {
  const { displayName, palette, privacyContact, welcome } = brand
  await portal(team, 'portal.branding.set', {}, { displayName, palette, privacyContact, welcome })
  const data = (await logoOf(brand)).toString('base64')
  await portal(team, 'portal.branding.logo.set', {}, { contentType: 'image/png', data })
}

/** How many points of a picture have this colour, within what smoothing makes of it. */
export const pointsOf = async (png: Buffer, colour: string): Promise<number> => {
  const wanted = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16))
  const { data, info } = await sharp(png).removeAlpha().raw().toBuffer({ resolveWithObject: true })
  let found = 0
  for (let at = 0; at < data.length; at += info.channels)
    if (wanted.every((value, n) => Math.abs((data[at + n] ?? 0) - value) < 12)) found += 1
  return found
}
