// Photographs every screen that candidates and members see: `npm run screens`, or `npm run screens -- phone` for those of one name.
// The windows are real ones, driven to each state against a server of this process. The pictures are in dist/screens, which is not
// kept; docs/screens has a contact sheet of each family and a list of what each picture looks like. `--check` renews neither: it
// names the pictures that look different from the list.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { brandedWindowScreens } from '../agent/test/renderer/branded-shoot.ts'
import { windowScreens } from '../agent/test/renderer/window-shoot.ts'
import { openAlbum, type Shoot } from '../server/test/screens/album.ts'
import { brandScreens } from '../server/test/screens/brands.ts'
import { contactSheet } from '../server/test/screens/contact-sheet.ts'
import { deskScreens } from '../server/test/screens/desk.ts'
import { readHashes, replaceHashes, stalePictures, writeHashes } from '../server/test/screens/hash-list.ts'
import { linkScreens } from '../server/test/screens/links.ts'
import { memberScreens } from '../server/test/screens/members.ts'
import { phoneScreens } from '../server/test/screens/phone.ts'
import { roomScreens } from '../server/test/screens/room.ts'
import { subjectScreens } from '../server/test/screens/subjects.ts'

const shoots: readonly Shoot[] = [
  ...[phoneScreens, roomScreens, linkScreens, windowScreens],
  ...[memberScreens, deskScreens, subjectScreens, brandScreens, brandedWindowScreens],
]

/** All sheets together. */
const mostBytes = 1.5 * 1024 * 1024

const kept = resolve(import.meta.dirname, '../docs/screens')
const pictures = resolve(import.meta.dirname, '../dist/screens')
const listFile = join(kept, 'hashes.txt')
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

const names = chosen.map(({ name }) => name)

const take = async (): Promise<Map<string, string>> => {
  const taken = new Map<string, string>()
  for (const shoot of chosen) {
    console.error(`${shoot.name} …`)
    const album = openAlbum(pictures, shoot.name)
    await shoot.run(album)
    for (const [picture, hash] of album.hashes) taken.set(picture, hash)
  }
  return taken
}

const listed = readHashes(existsSync(listFile) ? readFileSync(listFile, 'utf8') : '')

const keep = async (taken: ReadonlyMap<string, string>): Promise<void> => {
  mkdirSync(kept, { recursive: true })
  writeFileSync(listFile, writeHashes(replaceHashes(listed, taken, names)))
  let bytes = 0
  for (const name of names) {
    const own = [...taken.keys()].filter((picture) => picture.startsWith(`${name}-`)).sort()
    const sheet = await contactSheet(pictures, name, own)
    writeFileSync(join(kept, `${name}.webp`), sheet)
    bytes += sheet.length
  }
  console.log(`${pictures}: the pictures; ${kept}: their sheets, ${(bytes / 1024 ** 2).toFixed(1)} MiB`)
  if (bytes <= mostBytes) return
  console.error(`that is more than ${mostBytes / 1024 ** 2} MiB`)
  process.exitCode = 1
}

const compare = (taken: ReadonlyMap<string, string>): void => {
  const stale = stalePictures(listed, taken, names)
  for (const line of stale) console.log(line)
  if (stale.length > 0) process.exitCode = 1
  else console.log('every picture looks as it is listed')
}

const taken = await take()
await (check ? compare(taken) : keep(taken))
