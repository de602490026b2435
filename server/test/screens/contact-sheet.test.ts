import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import sharp from 'sharp'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openAlbum } from './album.ts'
import { contactSheet } from './contact-sheet.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'sheet-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

it('shows each picture small, in rows of ten', async () => {
  const album = openAlbum(folder, 'phone')
  const red = await sharp({ create: { width: 390, height: 2000, channels: 3, background: '#d00000' } })
    .png()
    .toBuffer()
  for (let n = 10; n < 21; n++) await album.keep(`${n}-code-en-light`, red)
  const sheet = await contactSheet(folder, 'phone', [...album.hashes.keys()])
  const { width, height } = await sharp(sheet).metadata()
  expect([width, height]).toEqual([1566, 570])
  const { data, info } = await sharp(sheet).raw().toBuffer({ resolveWithObject: true })
  const at = (x: number, y: number) => [
    ...data.subarray((y * width + x) * info.channels, (y * width + x) * info.channels + 3),
  ]
  expect(at(80, 400)[0]).toBeGreaterThan(180)
  expect(at(80, 400)[1]).toBeLessThan(40)
  expect(Math.min(...at(400, 400))).toBeGreaterThan(200)
})
