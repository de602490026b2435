// Photographs every screen that candidates and members see, for docs/screens: `npm run screens`, or `npm run screens -- phone` for
// those of one name. The windows are real ones, driven to each state against a server of this process.
import { resolve } from 'node:path'
import { brandedWindowScreens } from '../agent/test/renderer/branded-shoot.ts'
import { windowScreens } from '../agent/test/renderer/window-shoot.ts'
import { albumBytes, openAlbum, type Shoot } from '../server/test/screens/album.ts'
import { brandScreens } from '../server/test/screens/brands.ts'
import { linkScreens } from '../server/test/screens/links.ts'
import { memberScreens } from '../server/test/screens/members.ts'
import { phoneScreens } from '../server/test/screens/phone.ts'
import { roomScreens } from '../server/test/screens/room.ts'

const shoots: readonly Shoot[] = [
  ...[phoneScreens, roomScreens, linkScreens, windowScreens],
  ...[memberScreens, brandScreens, brandedWindowScreens],
]

/** All pictures together: a repository is not an album. */
const mostBytes = 7 * 1024 * 1024

const folder = resolve(import.meta.dirname, '../docs/screens')
const wanted = process.argv.slice(2)
const unknown = wanted.filter((name) => !shoots.some((shoot) => shoot.name === name))
if (unknown.length > 0) {
  console.error(`there is no ${unknown.join(', ')}; there are ${shoots.map(({ name }) => name).join(', ')}`)
  process.exit(2)
}
for (const shoot of shoots) {
  if (wanted.length > 0 && !wanted.includes(shoot.name)) continue
  console.error(`${shoot.name} …`)
  await shoot.run(openAlbum(folder, shoot.name))
}
const bytes = albumBytes(folder)
console.log(`${folder}: ${(bytes / 1024 ** 2).toFixed(1)} MiB`)
if (bytes > mostBytes) {
  console.error(`that is more than ${mostBytes / 1024 ** 2} MiB`)
  process.exitCode = 1
}
