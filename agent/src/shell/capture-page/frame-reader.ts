import { type CommandInput, noStream } from '../../machine/page/messages.ts'
import { blockValues, fingerprint, hashText } from '../../machine/stills/fingerprint.ts'
import { pageNow } from './page-clock.ts'
import { Refusal } from './refusal.ts'
import type { Reply } from './reply.ts'

/** A frame that has not come by then does not come: a still display gives one at the next tick of its capturer. */
const frameMs = 3000

const nextFrame = async (capture: ImageCapture): Promise<ImageBitmap | undefined> => {
  let timer = 0
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, frameMs, undefined)
  })
  const frame = capture.grabFrame()
  // One that comes too late is let go of.
  void frame.then(
    (bitmap) => late.then(() => bitmap.close()),
    () => undefined,
  )
  try {
    return await Promise.race([frame, late])
  } finally {
    clearTimeout(timer)
  }
}

/** Reads single frames of a picture track. Each is drawn on one canvas, where it stays until the next. */
export class FrameReader {
  readonly #capture: ImageCapture
  readonly #canvas = new OffscreenCanvas(1, 1)
  #seen = false

  constructor(track: MediaStreamTrack) {
    this.#capture = new ImageCapture(track)
  }

  async look(): Promise<Reply<'look'>> {
    const bitmap = await nextFrame(this.#capture)
    const at = pageNow()
    if (!bitmap) return { value: { at } }
    const { width, height } = bitmap
    if (this.#canvas.width !== width) this.#canvas.width = width
    if (this.#canvas.height !== height) this.#canvas.height = height
    const context = contextOf(this.#canvas)
    context.drawImage(bitmap, 0, 0)
    bitmap.close()
    this.#seen = true
    const pixels = context.getImageData(0, 0, width, height).data
    const print = fingerprint({ width, height, pixels }, { x: 0, y: 0, width, height })
    const bytes = new Uint8Array(blockValues * Float32Array.BYTES_PER_ELEMENT)
    bytes.set(new Uint8Array(print.blocks.buffer))
    return { value: { at, frame: { width, height, hash: hashText(print), varies: print.varies } }, bytes }
  }

  async picture({ contentType, quality, maxSide }: Omit<CommandInput<'picture'>, 'stream'>): Promise<Reply<'picture'>> {
    if (!this.#seen) throw new Refusal(noStream, 'no frame was looked at yet')
    const canvas = maxSide === undefined ? this.#canvas : shrunk(this.#canvas, maxSide)
    const { width, height } = canvas
    const blob = await canvas.convertToBlob({ type: contentType, quality: quality / 100 })
    return { value: { contentType: blob.type, width, height }, bytes: new Uint8Array(await blob.arrayBuffer()) }
  }
}

const contextOf = (canvas: OffscreenCanvas): OffscreenCanvasRenderingContext2D => {
  // Every frame is read back, so it is kept where that is cheap.
  const context = canvas.getContext('2d', { alpha: false, willReadFrequently: true })
  if (!context) throw new Refusal('InvalidStateError', 'no canvas to draw on')
  return context
}

const shrunk = (canvas: OffscreenCanvas, maxSide: number): OffscreenCanvas => {
  const share = Math.min(1, maxSide / Math.max(canvas.width, canvas.height))
  const small = new OffscreenCanvas(Math.round(canvas.width * share), Math.round(canvas.height * share))
  contextOf(small).drawImage(canvas, 0, 0, small.width, small.height)
  return small
}
