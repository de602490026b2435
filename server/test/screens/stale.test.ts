import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import sharp from 'sharp'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openAlbum } from './album.ts'
import { writeContactSheet } from './contact-sheet.ts'
import { stalePictures } from './stale.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'stale-'))
  for (const name of ['kept', 'fresh']) mkdirSync(path.join(root, name))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

/** A page with a heading, a button and a clock. */
const page = ({ words = 'Connect this phone', button = '#1d4f91', clock = '10:34', height = 480 } = {}) =>
  sharp(
    Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="400" height="${height}"><rect width="400" height="${height}" fill="#fff"/>
      <text x="20" y="60" font-size="28" font-weight="700">${words}</text><text x="320" y="460" font-size="12">${clock}</text>
      <rect x="20" y="120" width="160" height="44" rx="8" fill="${button}"/></svg>`),
  )
    .png()
    .toBuffer()

const taken = async (folder: string, name: string, picture: Promise<Buffer>) =>
  openAlbum(path.join(root, folder), name).keep('a', await picture)

const stale = (...shoots: string[]) => stalePictures(path.join(root, 'kept'), path.join(root, 'fresh'), shoots)

it('a picture that differs by an hour alone is as it was', async () => {
  await taken('kept', 'phone', page())
  await taken('fresh', 'phone', page({ clock: '17:08' }))
  expect(await stale('phone')).toEqual([])
})

it.each([
  ['words', { words: 'Verbinde dieses Telefon' }],
  ['colour', { button: '#f2c14e' }],
  ['height', { height: 560 }],
])('a picture with another %s is named', async (_what, changed) => {
  await taken('kept', 'phone', page())
  await taken('fresh', 'phone', page(changed))
  expect(await stale('phone')).toEqual(['phone-a.webp'])
})

it('a picture that is not taken any more is named, and so is one that is new; those of others are left alone', async () => {
  await taken('kept', 'phone', page())
  await taken('kept', 'room', page())
  await taken('fresh', 'window', page())
  expect(await stale('phone', 'window')).toEqual(['phone-a.webp', 'window-a.webp'])
})

it('the contact sheet has a row for each state with all pictures of it', async () => {
  const album = openAlbum(path.join(root, 'kept'), 'phone')
  for (const how of ['en-light', 'en-dark', 'hi-light', 'en-320']) await album.keep(`01-code-${how}`, await page())
  await album.keep('11-report', await page())
  writeContactSheet(path.join(root, 'kept'))
  const sheet = readFileSync(path.join(root, 'kept', 'README.md'), 'utf8')
  const rows = sheet.split('\n').filter((line) => line.startsWith('| phone-'))
  expect(rows.map((row) => [row.split(' ')[1], row.match(/<img /g)?.length])).toEqual([
    ['phone-01-code', 4],
    ['phone-11-report', 1],
  ])
})
