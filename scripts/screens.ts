// Photographs every screen that candidates and members see, for docs/screens: `npm run screens`, or `npm run screens -- phone` for
// those of one name. The windows are real ones, driven to each state against a server of this process. `--check` keeps nothing: it
// names the pictures that do not look any more as they are kept.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { brandedWindowScreens } from '../agent/test/renderer/branded-shoot.ts'
import { windowScreens } from '../agent/test/renderer/window-shoot.ts'
import { albumBytes, openAlbum, type Shoot } from '../server/test/screens/album.ts'
import { brandScreens } from '../server/test/screens/brands.ts'
import { writeContactSheet } from '../server/test/screens/contact-sheet.ts'
import { linkScreens } from '../server/test/screens/links.ts'
import { memberScreens } from '../server/test/screens/members.ts'
import { phoneScreens } from '../server/test/screens/phone.ts'
import { roomScreens } from '../server/test/screens/room.ts'
import { stalePictures } from '../server/test/screens/stale.ts'

const shoots: readonly Shoot[] = [
  ...[phoneScreens, roomScreens, linkScreens, windowScreens],
  ...[memberScreens, brandScreens, brandedWindowScreens],
]

/** All pictures together: a repository is not an album. */
const mostBytes = 7 * 1024 * 1024

const folder = resolve(import.meta.dirname, '../docs/screens')
const check = process.argv.includes('--check')
const wanted = process.argv.slice(2).filter((arg) => arg !== '--check')
const unknown = wanted.filter((name) => !shoots.some((shoot) => shoot.name === name))
if (unknown.length > 0) {
  console.error(`there is no ${unknown.join(', ')}; there are ${shoots.map(({ name }) => name).join(', ')}`)
  process.exit(2)
}
// Boxes in place of Hindi are no picture of it.
if (execFileSync('fc-list', [':lang=hi', 'file'], { encoding: 'utf8' }) === '') {
  console.error('pictures in Hindi need a font, on Debian: apt-get install fonts-noto-core')
  process.exit(2)
}
const chosen = shoots.filter(({ name }) => wanted.length === 0 || wanted.includes(name))

const take = async (into: string): Promise<void> => {
  for (const shoot of chosen) {
    console.error(`${shoot.name} …`)
    await shoot.run(openAlbum(into, shoot.name))
  }
}

const takeAndKeep = async (): Promise<void> => {
  await take(folder)
  writeContactSheet(folder)
  const bytes = albumBytes(folder)
  console.log(`${folder}: ${(bytes / 1024 ** 2).toFixed(1)} MiB`)
  if (bytes <= mostBytes) return
  console.error(`that is more than ${mostBytes / 1024 ** 2} MiB`)
  process.exitCode = 1
}

const takeAndCompare = async (): Promise<void> => {
  const fresh = mkdtempSync(join(tmpdir(), 'screens-'))
  try {
    await take(fresh)
    const names = chosen.map(({ name }) => name)
    const stale = await stalePictures(folder, fresh, names)
    for (const name of stale) console.log(`stale: ${name}`)
    if (stale.length > 0) process.exitCode = 1
    else console.log('every picture looks as it is kept')
  } finally {
    rmSync(fresh, { recursive: true, force: true })
  }
}

await (check ? takeAndCompare() : takeAndKeep())
