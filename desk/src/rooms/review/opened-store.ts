import type { PlayerEngine } from '@integrity/shared-ui/player/engine'
import { type Opened, openedOf } from '@integrity/shared-ui/player/opened'
import { useEffect, useSyncExternalStore } from 'react'

/** What the player of the page has shown in this visit, for those who sign below it. */
export class OpenedStore {
  #opened: Opened | undefined
  #isReady = false
  readonly #listeners = new Set<() => void>()

  get = (): Opened | undefined => this.#opened

  /** Whether the player has got beyond its first loading. */
  isReady = (): boolean => this.#isReady

  ready(): void {
    if (this.#isReady) return
    this.#isReady = true
    this.#tell()
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  set(opened: Opened): void {
    this.#opened = opened
    this.#tell()
  }

  #tell(): void {
    for (const listener of this.#listeners) listener()
  }
}

/** Undefined until there is something that can be shown. */
export const useOpened = (store: OpenedStore): Opened | undefined => useSyncExternalStore(store.subscribe, store.get)

/** It may be thousands of moments that are counted. */
const restMs = 1000

/** Counts anew once the player rests or a second has passed, and never while somebody looks for a place. */
export const useCounting = (
  store: OpenedStore,
  engine: PlayerEngine,
  moments: readonly { readonly atMs: number }[],
): void =>
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const count = () => {
      timer = undefined
      store.set(openedOf(engine.seen, engine.timeline, moments))
    }
    const soon = () => {
      const { phase } = engine.playing()
      if (phase !== 'loading') store.ready()
      if (phase !== 'scrubbing') timer ??= setTimeout(count, restMs)
    }
    soon()
    const leave = engine.subscribe(soon)
    return () => {
      clearTimeout(timer)
      leave()
    }
  }, [store, engine, moments])
