import type { AgentBridge } from '../../../shared/ipc/channels.ts'
import type { Preview, WindowState } from '../../../shared/ipc/window-state.ts'

/** Where a preview belongs: a display of a lane, or the lane itself. */
export const previewKey = (lane: string, displayId = ''): string => `${lane} ${displayId}`

const seenIn = ({ screen }: WindowState): string => (screen === 'paused' ? 'recording' : screen)

/**
 * The newest state of the core, and the newest moment of each lane. Two lists of listeners, so that a
 * meter that moves five times a second draws nothing but itself.
 */
export class AgentStore {
  readonly bridge: AgentBridge
  #state: WindowState | undefined
  readonly #previews = new Map<string, Preview>()
  readonly #stateListeners = new Set<() => void>()
  readonly #previewListeners = new Set<() => void>()

  constructor(bridge: AgentBridge) {
    this.bridge = bridge
    bridge.on('state', (state) => this.#take(state))
    bridge.on('preview', (preview) => {
      this.#previews.set(previewKey(preview.lane, preview.displayId), preview)
      for (const listener of this.#previewListeners) listener()
    })
    // A state that was pushed before this answer arrived is newer than the answer.
    void bridge.call('state.read', {}).then(
      (state) => {
        if (!this.#state) this.#take(state)
      },
      () => {},
    )
  }

  readonly state = (): WindowState | undefined => this.#state
  readonly preview = (key: string): Preview | undefined => this.#previews.get(key)

  readonly onState = (listener: () => void): (() => void) => {
    this.#stateListeners.add(listener)
    return () => this.#stateListeners.delete(listener)
  }

  readonly onPreview = (listener: () => void): (() => void) => {
    this.#previewListeners.add(listener)
    return () => this.#previewListeners.delete(listener)
  }

  #take(state: WindowState): void {
    // What was seen in the device check, or of a recording, is not kept past it.
    if (this.#state && seenIn(state) !== seenIn(this.#state)) this.#previews.clear()
    this.#state = state
    for (const listener of this.#stateListeners) listener()
  }
}
