import { useEffect, useState } from 'react'
import { SoundFollower } from '../browser/sound-follower.ts'
import type { PlayerEngine } from '../player/engine.ts'
import type { Track } from '../player/timeline.ts'

interface Sounds {
  readonly tracks: readonly Track[]
  readonly isHeard: (source: string) => boolean
  readonly hear: (source: string, heard: boolean) => void
}

/** The sound of each source that has any, apart or together. */
export const useSounds = (engine: PlayerEngine): Sounds => {
  const [tracks] = useState(() =>
    engine.timeline.tracks.filter(({ kind, items }) => kind === 'sound' && items.length > 0),
  )
  const [muted, setMuted] = useState<readonly string[]>([])
  const [followers, setFollowers] = useState<ReadonlyMap<string, SoundFollower>>(new Map())
  useEffect(() => {
    const made = new Map(tracks.map((track) => [track.source, new SoundFollower(engine, track)]))
    setFollowers(made)
    const follow = () => {
      for (const follower of made.values()) follower.follow(engine.playing())
    }
    const stop = engine.subscribe(follow)
    return () => {
      stop()
      for (const follower of made.values()) follower.stop()
    }
  }, [engine, tracks])
  useEffect(() => {
    for (const [source, follower] of followers) follower.muted = muted.includes(source)
    for (const follower of followers.values()) follower.follow(engine.playing())
  }, [engine, followers, muted])
  const hear = (source: string, heard: boolean) =>
    setMuted(heard ? muted.filter((one) => one !== source) : [...muted, source])
  return { tracks, isHeard: (source) => !muted.includes(source), hear }
}
