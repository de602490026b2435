import { useCallback, useEffect, useState, useSyncExternalStore } from 'react'
import { colourOf, useCanvas } from '../hooks/use-canvas.ts'
import { useObjectUrl } from '../hooks/use-object-url.ts'
import type { BesideItems } from '../player/beside-items.ts'
import type { KeptItem } from '../player/item-store.ts'
import { levelColumns } from '../player/levels.ts'
import { itemsBetween, type Timeline, type Track } from '../player/timeline.ts'

/** Where small pictures lie along an axis. */
const twelfths = Array.from({ length: 12 }, (_, index) => index / 12)
/** How often what has arrived is drawn, milliseconds. */
const drawMs = 500

const Small = ({ kept }: { readonly kept: KeptItem | undefined }) => {
  const url = useObjectUrl(kept)
  return url ? <img src={url} alt="" /> : <span />
}

interface Props {
  readonly timeline: Timeline
  readonly track: Track
  readonly items: BesideItems
}

/** Raised when something has arrived, not with each of it. */
const useArrived = (items: BesideItems): number => {
  const arrived = useSyncExternalStore(items.subscribe, items.arrived)
  const [drawn, setDrawn] = useState(arrived)
  useEffect(() => {
    const later = setTimeout(() => setDrawn(arrived), drawMs)
    return () => clearTimeout(later)
  }, [arrived])
  return drawn
}

/** Small pictures along the axis, for the eye: what they show is on the stage. */
export const SmallPictures = ({ timeline: { fromMs, toMs }, track, items }: Props) => {
  useArrived(items)
  return (
    <div className="smalls" aria-hidden="true">
      {twelfths.map((part) => {
        const begin = fromMs + part * (toMs - fromMs)
        const [item] = itemsBetween(track, begin, begin + (toMs - fromMs) / twelfths.length)
        return <Small key={part} kept={item && items.get(item.id)} />
      })}
    </div>
  )
}

/** How loud it was along the axis. */
export const Levels = ({ timeline: { fromMs, toMs }, track, items }: Props) => {
  const arrived = useArrived(items)
  const draw = useCallback(
    (context: CanvasRenderingContext2D, width: number, height: number) => {
      const columns =
        arrived === 0 ? [] : levelColumns(track, { fromMs, toMs, columns: width }, (id) => items.get(id)?.bytes)
      context.clearRect(0, 0, width, height)
      context.fillStyle = colourOf(context.canvas, '--soft')
      for (const [x, level] of columns.entries())
        if (level !== null) context.fillRect(x, height * (1 - level), 1, height)
    },
    [track, items, fromMs, toMs, arrived],
  )
  const canvas = useCanvas(draw)
  // Of some sound there are none, and nobody is shown an empty band.
  const some = arrived > 0 && track.items.some(({ id }) => items.get(id))
  return some ? <canvas ref={canvas} className="levels" /> : null
}
