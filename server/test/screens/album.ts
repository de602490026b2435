import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import sharp from 'sharp'
import { pictureHash } from './picture-hash.ts'

/** Where the pictures of screens go. */
export interface Album {
  /** `name` without an ending, in kebab-case; the same name again replaces the picture. */
  keep(name: string, png: Uint8Array): Promise<void>
}

/** Some screens of one window, made for real and put into an album. */
export interface Shoot {
  /** First part of the name of each of its pictures. */
  readonly name: string
  run(album: Album): Promise<void>
}

/** An album in a folder, with the hash of each picture by its name without an ending. */
export interface OpenAlbum extends Album {
  readonly hashes: ReadonlyMap<string, string>
}

const packed = { lossless: true, effort: 4 } as const

/** An album that is a folder of WebPs for each shoot's name; what was there of that name is replaced as a whole. */
export const openAlbum = (folder: string, name: string): OpenAlbum => {
  mkdirSync(folder, { recursive: true })
  for (const file of readdirSync(folder)) if (file.startsWith(`${name}-`)) rmSync(path.join(folder, file))
  const hashes = new Map<string, string>()
  return {
    hashes,
    keep: async (title, png) => {
      hashes.set(`${name}-${title}`, await pictureHash(png))
      writeFileSync(path.join(folder, `${name}-${title}.webp`), await sharp(png).webp(packed).toBuffer())
    },
  }
}
