import type { LaneName } from '@integrity/protocol'
import type { WindowState } from '../../shared/ipc/window-state.ts'

/** Tells once that a further part is asked for while the window is out of sight; who sees the window sees the card. */
export class AskedNotice {
  readonly #isSeen: () => boolean
  readonly #tell: () => void
  #known = new Set<LaneName>()

  constructor(isSeen: () => boolean, tell: () => void) {
    this.#isSeen = isSeen
    this.#tell = tell
  }

  update({ recording }: WindowState): void {
    const asked = recording?.asked?.lanes.filter(({ sending }) => !sending).map(({ lane }) => lane) ?? []
    const isNew = asked.some((lane) => !this.#known.has(lane))
    this.#known = new Set(recording?.asked?.lanes.map(({ lane }) => lane))
    if (isNew && !this.#isSeen()) this.#tell()
  }
}
