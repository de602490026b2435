import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import type { CapturedItem } from '../core/capture/types.ts'
import type { Preview } from '../shared/ipc/window-state.ts'
import { LastMoments } from './last-moments.ts'

const still = async (colour: string): Promise<Buffer> =>
  sharp({ create: { width: 1280, height: 720, channels: 3, background: colour } })
    .webp()
    .toBuffer()

const item = (bytes: Buffer, change: Partial<CapturedItem> = {}): CapturedItem => ({
  kind: 'screenshot',
  lane: 'screen',
  displayId: 'eDP-1',
  capturedAt: 0,
  monotonicMs: 0,
  contentType: 'image/webp',
  bytes,
  meta: {},
  ...change,
})

const told = () => {
  const previews: Preview[] = []
  return { previews, moments: new LastMoments((preview) => previews.push(preview)) }
}

describe('the last moments of the lanes', () => {
  it('are small pictures of what was recorded, and the newest of each display is told again', async () => {
    const { previews, moments } = told()
    await moments.item(item(await still('#336699')))
    await moments.item(item(await still('#993333')))
    await moments.item(item(await still('#339966'), { displayId: 'HDMI-1' }))
    expect(previews.map(({ displayId }) => displayId)).toEqual(['eDP-1', 'eDP-1', 'HDMI-1'])
    const data = previews[1]?.picture?.split(',')[1] ?? ''
    expect(await sharp(Buffer.from(data, 'base64')).metadata()).toMatchObject({
      format: 'jpeg',
      width: 320,
      height: 180,
    })
    const first = previews.splice(0)
    moments.tellAgain()
    expect(previews).toEqual(first.slice(1))
  })

  it('leave out what is no still and what cannot be drawn, and draw one at a time', async () => {
    const { previews, moments } = told()
    await moments.item(item(Buffer.from('sound'), { kind: 'audio_chunk', lane: 'microphone', displayId: undefined }))
    await moments.item(item(Buffer.from('broken')))
    expect(previews).toEqual([])
    const bytes = await still('#336699')
    await Promise.all([moments.item(item(bytes)), moments.item(item(bytes))])
    expect(previews).toHaveLength(1)
  })
})
