import path from 'node:path'
import sharp from 'sharp'

const across = 10
const wide = 150
/** Of a long page its top is shown. */
const high = 260
const label = 16
const gap = 6

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

const caption = (text: string): Buffer =>
  Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="${wide}" height="${label}">
    <text x="0" y="12" font-family="DejaVu Sans" font-size="9" fill="#333">${escaped(text)}</text></svg>`)

const small = (file: string): Promise<Buffer> =>
  sharp(file).resize(wide, high, { fit: 'cover', position: 'top' }).png().toBuffer()

/**
 * One picture of all pictures of a shoot, small and with their names: whoever looks for a state sees what is missing.
 * `names` without ending, from `folder`.
 */
export const contactSheet = async (folder: string, shoot: string, names: readonly string[]): Promise<Buffer> => {
  const rows = Math.ceil(names.length / across)
  const [stepX, stepY] = [wide + gap, high + label + gap]
  const placed = await Promise.all(
    names.map(async (name, n) => {
      const [left, top] = [gap + (n % across) * stepX, gap + Math.floor(n / across) * stepY]
      return [
        { input: await small(path.join(folder, `${name}.webp`)), left, top },
        { input: caption(name.slice(shoot.length + 1)), left, top: top + high },
      ]
    }),
  )
  const size = { width: gap + Math.min(across, names.length) * stepX, height: gap + rows * stepY }
  return sharp({ create: { ...size, channels: 3, background: '#e8eaed' } })
    .composite(placed.flat())
    .webp({ quality: 60, effort: 6 })
    .toBuffer()
}
