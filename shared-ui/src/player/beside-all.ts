import { BesideItems } from './beside-items.ts'
import type { PlayerEngine } from './engine.ts'
import type { ReelPorts } from './reel-loader.ts'

/** Small pictures and levels, by source: one reel after another, and none while the stage waits for its own. */
export const besideOf = (
  engine: Pick<PlayerEngine, 'playing' | 'timeline'>,
  ports: ReelPorts,
): ReadonlyMap<string, BesideItems> => {
  const all = new Map<string, BesideItems>()
  const mayLoad = () => engine.playing().phase !== 'loading' && ![...all.values()].some(({ loading }) => loading)
  for (const track of engine.timeline.tracks) {
    if (track.items.length === 0 || track.kind === 'words') continue
    const size = track.kind === 'sound' ? 'levels' : 'small'
    all.set(track.source, new BesideItems({ track, size, ports, mayLoad }))
  }
  return all
}
