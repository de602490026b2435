import { writeFileSync } from 'node:fs'
import sharp from 'sharp'

/** A desk from the side, and a room, as cameras would show them. */
const scenes = {
  desk: `<rect width="1280" height="720" fill="#cfd6dc"/><rect y="500" width="1280" height="220" fill="#9a7b5c"/>
    <rect x="250" y="190" width="430" height="280" rx="10" fill="#30373f"/><rect x="270" y="210" width="390" height="240" fill="#7fa7d9"/>
    <path d="M230 470h470l70 60H170z" fill="#555e68"/><path d="M900 720c0-150-20-240-130-250l-190 20" fill="none" stroke="#c9967a" stroke-width="54" stroke-linecap="round"/>
    <path d="M840 720V360c20-70 240-70 300 0v360z" fill="#3f5c4b"/><circle cx="990" cy="230" r="95" fill="#c9967a"/>`,
  room: `<rect width="1280" height="720" fill="#dfe3e6"/><rect y="520" width="1280" height="200" fill="#b7a58f"/>
    <rect x="90" y="90" width="300" height="240" fill="#a9cbe3"/><rect x="430" y="470" width="520" height="40" fill="#7c5f45"/>
    <path d="M470 510v180M910 510v180" stroke="#7c5f45" stroke-width="24"/><circle cx="700" cy="270" r="70" fill="#c9967a"/>
    <path d="M580 470c0-160 240-160 240 0z" fill="#4b5f86"/><rect x="620" y="400" width="160" height="80" rx="8" fill="#30373f"/>`,
} as const
export type Scene = keyof typeof scenes

/** The picture of a scene, 1280 by 720, as JPEG. */
export const drawScene = (scene: Scene): Promise<Buffer> =>
  sharp(Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="1280" height="720">${scenes[scene]}</svg>`))
    .jpeg({ quality: 90 })
    .toBuffer()

/** Arguments for a Chromium whose camera shows this JPEG. Writes `file`; Chromium wants a film of more than one picture. */
export const cameraFileArgs = (file: string, picture: Buffer): string[] => {
  writeFileSync(file, Buffer.concat([picture, picture, picture]))
  return ['--use-fake-device-for-media-stream', `--use-file-for-fake-video-capture=${file}`]
}
