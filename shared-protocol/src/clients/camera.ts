/** Why a camera does not open, or stopped. `Problem` is each client's own list. */
export class CameraFailure<Problem extends string> extends Error {
  override readonly name = 'CameraError'
  readonly problem: Problem

  constructor(problem: Problem, cause?: unknown) {
    super(problem, { cause })
    this.problem = problem
  }
}

/** How long a picture is waited for before the camera counts as giving none. Milliseconds. */
const patienceMs = 2_000

type After = (ms: number, action: () => void) => () => void

/** Resolves at the first frame after now: true; or false when none comes. `after` answers how to cancel. */
export const nextFrame = (video: HTMLVideoElement, after: After): Promise<boolean> =>
  new Promise((resolve) => {
    const before = video.currentTime
    const handle = video.requestVideoFrameCallback?.(() => finish(true))
    // A page in the background draws no frames, but the stream's time still goes on.
    const cancel = after(patienceMs, () => finish(video.currentTime !== before))
    const finish = (came: boolean) => {
      cancel()
      if (handle !== undefined) video.cancelVideoFrameCallback(handle)
      resolve(came)
    }
  })

/** What a small picture may be at the most, by the contract of packs. */
const small = { side: 160, bytes: 4096, type: 'image/webp' } as const
/** Coarser ones follow where a picture stays too large. */
const smallQualities = [0.6, 0.3, 0.1] as const

const encoded = (canvas: HTMLCanvasElement, quality: number): Promise<Blob | null> =>
  new Promise((resolve) => {
    canvas.toBlob(resolve, small.type, quality)
  })

/**
 * A WebP for whoever looks through many, at most 160 pixels a side and 4 kB; undefined where the browser writes none (Safari)
 * or it does not get so small. Never throws: the picture itself is what counts.
 */
export const smallPicture = async (
  source: CanvasImageSource,
  { width, height }: { readonly width: number; readonly height: number },
): Promise<ArrayBuffer | undefined> => {
  try {
    const share = Math.min(1, small.side / Math.max(width, height))
    const canvas = document.createElement('canvas')
    canvas.width = Math.max(1, Math.round(width * share))
    canvas.height = Math.max(1, Math.round(height * share))
    canvas.getContext('2d')?.drawImage(source, 0, 0, canvas.width, canvas.height)
    for (const quality of smallQualities) {
      const blob = await encoded(canvas, quality)
      if (blob?.type !== small.type) return undefined
      if (blob.size <= small.bytes) return await blob.arrayBuffer()
    }
  } catch {
    // The service makes one where it is looked at.
  }
  return undefined
}
