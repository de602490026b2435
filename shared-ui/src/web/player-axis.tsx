import { memo, type PointerEvent, useCallback, useEffect, useLayoutEffect, useRef } from 'react'
import { colourOf, useCanvas } from '../hooks/use-canvas.ts'
import type { BesideItems } from '../player/beside-items.ts'
import type { PlayerEngine } from '../player/engine.ts'
import { drawnMarks, type Mark } from '../player/marks.ts'
import type { Playing } from '../player/playing.ts'
import { playTime } from '../player/range.ts'
import type { Timeline, Track } from '../player/timeline.ts'
import { Levels, SmallPictures } from './track-pictures.tsx'

/** What the page that shows the player calls what is on the axis. */
export interface AxisWords {
  readonly place: string
  readonly placeOf: (at: string, end: string) => string
  readonly source: (track: Pick<Track, 'source' | 'lane'>) => string
}

interface RowProps {
  readonly name: string
  readonly timeline: Timeline
  readonly track: Track
  readonly beside: BesideItems | undefined
}

/** The account of a source, and what can be seen or heard of it, on the time of all. No object is stored of words. */
const Row = memo(({ name, timeline, track, beside }: RowProps) => {
  const { fromMs, toMs } = timeline
  const place = (ms: number) => ((ms - fromMs) / (toMs - fromMs)) * 1000
  return (
    <div>
      <span className="small">{name}</span>
      {beside && track.kind === 'pictures' ? <SmallPictures {...{ timeline, track }} items={beside} /> : null}
      {beside && track.kind === 'sound' ? <Levels {...{ timeline, track }} items={beside} /> : null}
      <svg className="strip" aria-hidden="true" viewBox="0 0 1000 10" preserveAspectRatio="none">
        {track.stretches.map(({ fromMs: from, toMs: to, state, held }) => (
          <rect
            key={from}
            className={state === 'observed' && !held && track.kind !== 'words' ? 'observed unheld' : state}
            x={place(from)}
            y="0"
            width={place(to) - place(from)}
            height="10"
          />
        ))}
      </svg>
    </div>
  )
})

const Marks = memo(({ timeline: { fromMs, toMs }, marks }: { timeline: Timeline; marks: readonly Mark[] }) => {
  const draw = useCallback(
    (context: CanvasRenderingContext2D, width: number, height: number) => {
      context.clearRect(0, 0, width, height)
      const colours = { moment: colourOf(context.canvas, '--text'), note: colourOf(context.canvas, '--accent') }
      for (const { x, kind } of drawnMarks(marks, { fromMs, toMs, width })) {
        context.fillStyle = colours[kind]
        context.fillRect(x, kind === 'note' ? height / 2 : 0, 2, height / 2)
      }
    },
    [marks, fromMs, toMs],
  )
  const canvas = useCanvas(draw)
  return <canvas ref={canvas} className="marks" />
})

interface Props {
  readonly engine: PlayerEngine
  readonly playing: Playing
  readonly marks: readonly Mark[]
  /** Small pictures and levels, by source. */
  readonly beside: ReadonlyMap<string, BesideItems>
  readonly words: AxisWords
}

/** Of the place. The last step of an interview may be shorter, and leads to its end. */
const stepMs = 100

/** The place in the interview, moved by keys and by hand; it is sought once when it is let go. */
const Place = ({ engine, playing, words }: Pick<Props, 'engine' | 'playing' | 'words'>) => {
  const input = useRef<HTMLInputElement>(null)
  const { fromMs, toMs } = engine.timeline
  useEffect(() => {
    const release = () => engine.release()
    const element = input.current
    element?.addEventListener('change', release)
    return () => element?.removeEventListener('change', release)
  }, [engine])
  return (
    <input
      ref={input}
      type="range"
      className="seek"
      min={fromMs}
      max={toMs}
      step={stepMs}
      value={Math.round(playing.atMs / stepMs) * stepMs}
      aria-label={words.place}
      aria-valuetext={words.placeOf(playTime(playing.atMs), playTime(toMs))}
      onInput={({ currentTarget: { value } }) => engine.scrub(Number(value) > toMs - stepMs ? toMs : Number(value))}
    />
  )
}

/** One time for all sources: what each recorded, what was marked, and where the player is. */
export const Axis = ({ engine, playing, marks, beside, words }: Props) => {
  const { timeline } = engine
  const cursor = useRef<HTMLDivElement>(null)
  const rows = useRef<HTMLDivElement>(null)
  const part = (playing.atMs - timeline.fromMs) / (timeline.toMs - timeline.fromMs)
  // With the pictures, in one turn.
  useLayoutEffect(() => {
    if (cursor.current) cursor.current.style.insetInlineStart = `${part * 100}%`
  }, [part])
  const placeOf = ({ clientX }: PointerEvent): number => {
    const box = rows.current?.getBoundingClientRect()
    const x = box ? (clientX - box.left) / box.width : 0
    const isLeftward = getComputedStyle(document.documentElement).direction === 'rtl'
    return timeline.fromMs + (isLeftward ? 1 - x : x) * (timeline.toMs - timeline.fromMs)
  }
  const begin = (event: PointerEvent<HTMLDivElement>) => {
    event.currentTarget.setPointerCapture(event.pointerId)
    engine.scrub(placeOf(event))
  }
  const move = (event: PointerEvent<HTMLDivElement>) => {
    if (event.currentTarget.hasPointerCapture(event.pointerId)) engine.scrub(placeOf(event))
  }
  return (
    <div className="axis">
      <Place {...{ engine, playing, words }} />
      <div
        className="lanes"
        ref={rows}
        onPointerDown={begin}
        onPointerMove={move}
        onPointerUp={() => engine.release()}
        onPointerCancel={() => engine.release()}
      >
        <Marks timeline={timeline} marks={marks} />
        {timeline.tracks.map((track) => (
          <Row
            key={track.source}
            name={words.source(track)}
            {...{ timeline, track }}
            beside={beside.get(track.source)}
          />
        ))}
        <div className="cursor" ref={cursor} aria-hidden="true" />
      </div>
    </div>
  )
}
