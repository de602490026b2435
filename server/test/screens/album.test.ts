import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import sharp from 'sharp'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openAlbum } from './album.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'album-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

it('an album holds pictures and their hashes, and a new one of its name leaves nothing of the old and all of the others', async () => {
  const big = await sharp({ create: { width: 300, height: 200, channels: 4, background: '#2468ac' } })
    .png()
    .toBuffer()
  await openAlbum(folder, 'phone').keep('old', big)
  await openAlbum(folder, 'room').keep('door', big)
  const album = openAlbum(folder, 'phone')
  await album.keep('new', big)
  expect(readdirSync(folder).sort()).toEqual(['phone-new.webp', 'room-door.webp'])
  expect([...album.hashes.keys()]).toEqual(['phone-new'])
  expect(await sharp(path.join(folder, 'phone-new.webp')).metadata()).toMatchObject({ width: 300, height: 200 })
})
