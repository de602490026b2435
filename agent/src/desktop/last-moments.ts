import type { LaneName } from '@integrity/protocol'
import type { CapturedItem } from '../core/capture/types.ts'
import type { Preview } from '../shared/ipc/window-state.ts'
import { isStill, smallPicture } from './small-picture.ts'

/**
 * The last picture that each lane, or display of it, has recorded, small, and how loud a lane is: told to the window, and told
 * again to a window that opens later. In memory alone, and gone with the session.
 */
export class LastMoments {
  readonly #tell: (preview: Preview) => void
  readonly #pictures = new Map<string, Preview>()
  readonly #drawing = new Set<string>()

  constructor(tell: (preview: Preview) => void) {
    this.#tell = tell
  }

  /** A lane that brings more pictures than can be made small has some left out; recording waits for none of them. */
  async item(item: CapturedItem): Promise<void> {
    const key = `${item.lane} ${item.displayId ?? ''}`
    if (!isStill(item) || this.#drawing.has(key)) return
    this.#drawing.add(key)
    try {
      const preview = await smallPicture(item)
      this.#pictures.set(key, preview)
      this.#tell(preview)
    } catch {
      // Not a picture that can be shown; the lane's health is told by who records it.
    } finally {
      this.#drawing.delete(key)
    }
  }

  level(lane: LaneName, levelDb: number): void {
    this.#tell({ lane, levelDb })
  }

  tellAgain(): void {
    for (const preview of this.#pictures.values()) this.#tell(preview)
  }
}
