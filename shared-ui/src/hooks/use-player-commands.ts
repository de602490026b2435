import { type RefObject, useMemo, useState } from 'react'
import type { Around } from '../player/around.ts'
import { rateBeside } from '../player/clock.ts'
import type { PlayerEngine } from '../player/engine.ts'
import type { Command } from '../player/keys.ts'
import { gapJump, itemBeside, momentAt, momentBeside } from '../player/steps.ts'
import type { Track } from '../player/timeline.ts'

export interface CommandState {
  readonly front: Track | undefined
  readonly words: boolean
  readonly keys: boolean
  /** Of the moments: the one that a key went to last. */
  readonly gone: number
  /** What a key came to, where that cannot be seen. */
  readonly said: 'NoGap' | 'ExplainNone' | 'MomentHere' | undefined
}

interface Timed {
  readonly atMs: number
}

interface Parts<M extends Timed> {
  readonly engine: PlayerEngine
  readonly around: Around
  readonly pictures: readonly Track[]
  readonly moments: readonly M[]
  readonly stage: RefObject<HTMLElement | null>
  readonly search: RefObject<HTMLInputElement | null>
}

const jumps: Partial<Readonly<Record<Command, number>>> = { back: -5000, on: 5000, farBack: -30_000, farOn: 30_000 }
const steps = { itemBack: -1, itemOn: 1, momentBack: -1, momentOn: 1 } as const

const begun = (front: Track | undefined): CommandState => ({
  front,
  words: true,
  keys: false,
  gone: -1,
  said: undefined,
})

/** Rules may name what was so before the recording: the player is then where that begins. */
const usePlaces = <M extends Timed>({ timeline: { fromMs, toMs } }: PlayerEngine, moments: readonly M[]) =>
  useMemo(
    () => moments.map((moment) => ({ ...moment, atMs: Math.max(fromMs, Math.min(toMs, moment.atMs)) })),
    [moments, fromMs, toMs],
  )

const seek = (engine: PlayerEngine, atMs: number | undefined): void => {
  if (atMs !== undefined) engine.seek(atMs)
}

const changeRate = (engine: PlayerEngine, direction: 1 | -1): void => {
  engine.rate = rateBeside(engine.playing().rate, direction)
  if (direction === 1 && !engine.playing().wanted) engine.play()
}

const stepToMoment = (
  engine: PlayerEngine,
  places: readonly Timed[],
  { gone, direction }: { readonly gone: number; readonly direction: 1 | -1 },
): Partial<CommandState> => {
  const moment = momentBeside(places, { atMs: engine.atMs, gone, direction })
  if (!moment) return {}
  engine.seek(moment.atMs)
  return { gone: places.indexOf(moment), said: 'MomentHere' }
}

/** Pictures are stepped by, and where there are none, what else was recorded. */
const steppedOf = ({ timeline: { tracks } }: PlayerEngine, front: Track | undefined): Track | undefined =>
  front ?? tracks.find(({ items }) => items.length > 0) ?? tracks[0]

/** What each command of a player does wherever it stands, and what it has come to. */
export const usePlayerCommands = <M extends Timed>({ engine, around, pictures, moments, stage, search }: Parts<M>) => {
  const [state, setState] = useState(() => begun(pictures[0]))
  const change = (part: Partial<CommandState>) => setState((before) => ({ ...before, said: undefined, ...part }))
  const { front, gone } = state
  const places = usePlaces(engine, moments)
  const stepped = steppedOf(engine, front)
  const momentHere = () => momentAt(places, around.atMs ?? engine.atMs, gone)
  const choose = (track: Track | undefined) => {
    if (track) change({ front: track })
  }
  const playAround = () => {
    const atMs = around.atMs ?? (momentAt(places, engine.atMs, gone) ?? places[0])?.atMs
    if (atMs === undefined) change({ said: 'ExplainNone' })
    else around.play(atMs)
  }
  const jumpGap = () => {
    const to = stepped && gapJump(stepped, engine.atMs)
    if (to === undefined) change({ said: 'NoGap' })
    else engine.seek(to)
  }
  const others: Partial<Readonly<Record<Command, () => void>>> = {
    toggle: () => engine.toggle(),
    slower: () => changeRate(engine, -1),
    faster: () => changeRate(engine, 1),
    gap: jumpGap,
    swap: () => choose(front && pictures[(pictures.indexOf(front) + 1) % pictures.length]),
    around: playAround,
    words: () => change({ words: !state.words }),
    search: () => {
      change({ words: true })
      // It may have to be drawn first.
      setTimeout(() => search.current?.focus(), 0)
    },
    full: () => void (document.fullscreenElement ? document.exitFullscreen() : stage.current?.requestFullscreen()),
    keys: () => change({ keys: !state.keys }),
  }
  const run = (command: Command): void => {
    const jump = jumps[command]
    const place = /^front(\d)$/.exec(command)?.[1]
    if (jump !== undefined) engine.seek(engine.atMs + jump)
    else if (command === 'itemBack' || command === 'itemOn')
      seek(engine, stepped && itemBeside(stepped, engine.atMs, steps[command])?.atMs)
    else if (command === 'momentBack' || command === 'momentOn')
      change(stepToMoment(engine, places, { gone, direction: steps[command] }))
    else if (place === undefined) others[command]?.()
    else choose(pictures[Number(place) - 1])
  }
  return { state, change, run, momentHere }
}
