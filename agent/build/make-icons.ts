// Draws the application's icons: `node agent/build/make-icons.ts`. What it writes is committed.
import { mkdir, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import sharp from 'sharp'

const folder = resolve(import.meta.dirname, '../resources/icons')
const colours = { ground: '#2f5d73', line: '#ffffff', recording: '#d9534f', paused: '#e0a030', sending: '#4a90c2' }

// A display with a line of sound in it.
const frame = (line: string) =>
  `<g fill="none" stroke="${line}" stroke-width="52" stroke-linecap="round" stroke-linejoin="round">
    <rect x="232" y="272" width="560" height="400" rx="72"/>
    <path d="M392 472 h40 l48 -72 64 144 48 -72 h40"/>
    <path d="M400 792 h224"/>
  </g>`
const picture = (inner: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1024 1024"><title>Interview Integrity</title>${inner}</svg>`
const ground = `<rect x="64" y="64" width="896" height="896" rx="208" fill="${colours.ground}"/>`
const ring = (colour: string, inner: string) =>
  `<circle cx="760" cy="760" r="232" fill="#ffffff"/><circle cx="760" cy="760" r="196" fill="${colour}"/>${inner}`

// The state is a shape as well as a colour: a disc, two bars, an arrow.
const marks = {
  idle: '',
  recording: ring(colours.recording, '<circle cx="760" cy="760" r="84" fill="#ffffff"/>'),
  paused: ring(colours.paused, '<path d="M700 660 v200 M820 660 v200" stroke="#ffffff" stroke-width="64"/>'),
  sending: ring(
    colours.sending,
    '<path d="M760 880 V660 M670 740 L760 650 L850 740" fill="none" stroke="#ffffff" stroke-width="60"/>',
  ),
}

const write = async (name: string, svg: string, size: number): Promise<void> => {
  const png = await sharp(Buffer.from(svg), { density: 300 }).resize(size, size).png({ compressionLevel: 9 }).toBuffer()
  await writeFile(join(folder, name), png)
}

await mkdir(folder, { recursive: true })
const icon = picture(ground + frame(colours.line))
await writeFile(join(folder, 'icon.svg'), `${icon}\n`)
await write('icon.png', icon, 1024)
for (const [mode, mark] of Object.entries(marks)) {
  const svg = picture(ground + frame(colours.line) + mark)
  // Windows and macOS measure in points and take the file that fits their scale; Linux scales what it is given.
  for (const scale of [1, 2, 3]) await write(`tray-${mode}${scale === 1 ? '' : `@${scale}x`}.png`, svg, 16 * scale)
  await write(`tray-${mode}-large.png`, svg, 64)
}
