import { readFile } from 'node:fs/promises'

/** Length of the film, milliseconds. */
export const clipMs = 1000

/** A drawn figure for one second: 160 × 120 pixels, 5 frames, VP8 in WebM. */
export const readClip = (): Promise<Buffer> => readFile(new URL('./simulated-clip.webm', import.meta.url))
