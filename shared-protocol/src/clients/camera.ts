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
