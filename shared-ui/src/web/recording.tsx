import { useEffect, useRef } from 'react'
import { useObjectUrl } from '../hooks/use-object-url.ts'
import type { KeptItem } from '../player/item-store.ts'
import type { Playing } from '../player/playing.ts'
import type { Item } from '../player/timeline.ts'

interface Props {
  readonly item: Item
  readonly kept: KeptItem
  readonly playing: Playing
  readonly label: string
  readonly onBroken: () => void
}

/** A recording that is this far from where it should be is moved there, seconds. */
const mostDrift = 0.3

/** A recording that follows the player. Its sound is a source of its own, so it is silent. */
export const Recording = ({ item, kept, playing, label, onBroken }: Props) => {
  const element = useRef<HTMLVideoElement>(null)
  const url = useObjectUrl(kept)
  const { phase, atMs, rate } = playing
  useEffect(() => {
    const video = element.current
    if (!video || !url) return
    const end = Number.isFinite(video.duration) ? video.duration : Number.POSITIVE_INFINITY
    const wanted = Math.min((atMs - item.atMs) / 1000, end)
    // Some are shorter than they say: their last picture then stays.
    const plays = phase === 'playing' && wanted < end
    video.playbackRate = rate
    if (Math.abs(video.currentTime - wanted) > mostDrift * Math.max(1, rate)) video.currentTime = wanted
    // A browser may refuse to play; its picture is then moved on by the steps above.
    if (plays && video.paused) void video.play().catch(() => undefined)
    if (!plays && !video.paused) video.pause()
  }, [url, item, phase, atMs, rate])
  return url ? (
    <video ref={element} className="shown" src={url} aria-label={label} muted playsInline onError={onBroken} />
  ) : null
}
