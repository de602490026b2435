import { ItemStore, type KeptItem } from './item-store.ts'
import type { ReelSize } from './reel.ts'
import { ReelLoader, type ReelPorts } from './reel-loader.ts'
import type { Item, Track } from './timeline.ts'

/** Of small pictures or levels of one source; more than an interview has. */
const mostBytes = 32 * 1024 * 1024

interface Options {
  readonly track: Track
  readonly size: Exclude<ReelSize, 'full'>
  readonly ports: ReelPorts
  /** Asked before each reel: what somebody waits for comes before it. */
  readonly mayLoad?: () => boolean
}

/**
 * The small pictures or the levels of everything that a source recorded, which come one reel after another. They have no hash of
 * their own, so they show where something is and never stand for it.
 */
export class BesideItems {
  readonly #store = new ItemStore(mostBytes)
  readonly #loader: ReelLoader
  readonly #items: readonly Item[]
  readonly #mayLoad: () => boolean
  readonly #listeners = new Set<() => void>()
  #arrived = 0

  constructor({ track, size, ports, mayLoad = () => true }: Options) {
    this.#mayLoad = mayLoad
    // Of those for which none were sent, too: the service makes them when somebody looks.
    this.#items = track.items
    const keep = async ({
      id,
      contentType,
      absent,
      bytes,
    }: Pick<KeptItem, 'id' | 'contentType' | 'absent' | 'bytes'>) => {
      const type = size === 'small' ? 'image/webp' : contentType
      this.#store.put({ id, contentType: type, absent, bytes, finding: 'unsigned' }, () => false)
    }
    const onChange = () => {
      if (!this.#loader.loading) this.tick()
      this.#arrived += 1
      for (const listener of this.#listeners) listener()
    }
    this.#loader = new ReelLoader({ track, size, ports, store: this.#store, keep, onChange })
  }

  /** Asks for what has not come yet. */
  tick = (): void => {
    if (!this.#loader.loading && this.#mayLoad()) this.#loader.want(this.#items)
  }

  get loading(): boolean {
    return this.#loader.loading
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** Raised by each thing that arrives. */
  arrived = (): number => this.#arrived

  /** Undefined where it has not come, or there is none. */
  get(id: string): KeptItem | undefined {
    const item = this.#store.get(id)
    return item && item.bytes.length > 0 ? item : undefined
  }

  stop(): void {
    this.#loader.stop()
    this.#listeners.clear()
    this.#store.clear()
  }
}
