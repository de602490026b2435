import { useEffect, useSyncExternalStore } from 'react'
import { PicturesAhead } from '../browser/pictures-ahead.ts'
import type { PlayerEngine } from '../player/engine.ts'
import type { Playing } from '../player/playing.ts'

/** How often the engine goes on while the page is open, milliseconds. */
const tickMs = 40

export const usePlaying = (engine: PlayerEngine): Playing => useSyncExternalStore(engine.subscribe, engine.playing)

/**
 * Lets the engine go on while it is shown, and has its next pictures ready. `more`: what else is to go on with it, at a tenth of
 * that.
 */
export const useTicks = (engine: PlayerEngine, more: () => void): void => {
  useEffect(() => {
    const ahead = new PicturesAhead(engine)
    const stop = engine.subscribe(ahead.follow)
    engine.tick()
    const ticks = setInterval(engine.tick, tickMs)
    const others = setInterval(more, tickMs * 10)
    return () => {
      clearInterval(ticks)
      clearInterval(others)
      stop()
      ahead.stop()
    }
  }, [engine, more])
}
