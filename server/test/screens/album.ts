import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import sharp from 'sharp'

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

/** Screens have few colours; the pictures of cameras on them may lose some. */
const palette = { palette: true, colours: 128, effort: 9, dither: 0.6 } as const

/** What is left of them, a third smaller than as PNG. */
const packed = { lossless: true, effort: 6 } as const

/** An album that is a folder of WebPs for each shoot's name; what was there of that name is replaced as a whole. */
export const openAlbum = (folder: string, name: string): Album => {
  mkdirSync(folder, { recursive: true })
  for (const file of readdirSync(folder)) if (file.startsWith(`${name}-`)) rmSync(path.join(folder, file))
  return {
    keep: async (title, png) => {
      const few = await sharp(png).png(palette).toBuffer()
      writeFileSync(path.join(folder, `${name}-${title}.webp`), await sharp(few).webp(packed).toBuffer())
    },
  }
}

/** Bytes of all pictures in the folder. */
export const albumBytes = (folder: string): number =>
  readdirSync(folder).reduce((sum, file) => sum + statSync(path.join(folder, file)).size, 0)
