import type { Around } from '@integrity/shared-ui/player/around'
import { rateBeside } from '@integrity/shared-ui/player/clock'
import type { PlayerEngine } from '@integrity/shared-ui/player/engine'
import type { Command } from '@integrity/shared-ui/player/keys'
import { noRange, type Range, withEnd } from '@integrity/shared-ui/player/range'
import { gapJump, itemBeside, momentAt, momentBeside } from '@integrity/shared-ui/player/steps'
import type { Track } from '@integrity/shared-ui/player/timeline'
import { type RefObject, useMemo, useState } from 'react'
import type { MarkedPlace } from './marked-places.tsx'

/** What is written below the stage. */
export interface Panel {
  readonly kind: 'note' | 'explain'
  readonly atMs: number
  readonly momentId: string | undefined
}

export interface CommandState {
  readonly front: Track | undefined
  readonly range: Range
  readonly panel: Panel | undefined
  readonly words: boolean
  readonly keys: boolean
  /** Of the moments: the one that a key went to last. */
  readonly gone: number
  /** What a key came to, where that cannot be seen. */
  readonly said: 'playerNoGap' | 'playerExplainNone' | 'playerMomentHere' | undefined
}

interface Parts {
  readonly engine: PlayerEngine
  readonly around: Around
  readonly pictures: readonly Track[]
  readonly moments: readonly MarkedPlace[]
  readonly stage: RefObject<HTMLElement | null>
  readonly search: RefObject<HTMLInputElement | null>
  readonly onNextReview: () => void
  /** What was being written when the player was here before. */
  readonly written: { readonly panel: Panel; readonly range: Range } | undefined
}

const jumps: Partial<Readonly<Record<Command, number>>> = { back: -5000, on: 5000, farBack: -30_000, farOn: 30_000 }
const steps = { itemBack: -1, itemOn: 1, momentBack: -1, momentOn: 1 } as const

const begun = (pictures: readonly Track[]): CommandState => ({
  front: pictures[0],
  range: noRange,
  panel: undefined,
  words: true,
  keys: false,
  gone: -1,
  said: undefined,
})

/** Rules may name what was so before the recording: the player is then where that begins. */
const usePlaces = ({ timeline: { fromMs, toMs } }: PlayerEngine, moments: readonly MarkedPlace[]) =>
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
  places: readonly MarkedPlace[],
  { gone, direction }: { readonly gone: number; readonly direction: 1 | -1 },
): Partial<CommandState> => {
  const moment = momentBeside(places, { atMs: engine.atMs, gone, direction })
  if (!moment) return {}
  engine.seek(moment.atMs)
  return { gone: places.indexOf(moment), said: 'playerMomentHere' }
}

/** What each command does, and what it has come to. */
export const useCommands = ({ engine, around, pictures, moments, stage, search, onNextReview, written }: Parts) => {
  const [state, setState] = useState(() => ({ ...begun(pictures), ...written }))
  const change = (part: Partial<CommandState>) => setState((before) => ({ ...before, said: undefined, ...part }))
  const { front, range, gone } = state
  const places = usePlaces(engine, moments)
  const write = (kind: Panel['kind']) => {
    const { atMs } = engine
    const here = momentAt(places, around.atMs ?? atMs, gone)
    if (kind === 'explain' && !here) return change({ said: 'playerExplainNone' })
    engine.pause()
    change({ panel: { kind, atMs: Math.max(0, Math.round(atMs)), momentId: here?.id } })
  }
  const playAround = () => {
    const atMs = around.atMs ?? (momentAt(places, engine.atMs, gone) ?? places[0])?.atMs
    if (atMs === undefined) change({ said: 'playerExplainNone' })
    else around.play(atMs)
  }
  const choose = (track: Track | undefined) => {
    if (track) change({ front: track })
  }
  const jumpGap = () => {
    const to = front && gapJump(front, engine.atMs)
    if (to === undefined) change({ said: 'playerNoGap' })
    else engine.seek(to)
  }
  const others: Partial<Readonly<Record<Command, () => void>>> = {
    toggle: () => engine.toggle(),
    slower: () => changeRate(engine, -1),
    faster: () => changeRate(engine, 1),
    gap: jumpGap,
    swap: () => choose(front && pictures[(pictures.indexOf(front) + 1) % pictures.length]),
    rangeFrom: () => change({ range: withEnd(range, 'from', Math.max(0, Math.round(engine.atMs))) }),
    rangeTo: () => change({ range: withEnd(range, 'to', Math.max(0, Math.round(engine.atMs))) }),
    around: playAround,
    note: () => write('note'),
    explain: () => write('explain'),
    words: () => change({ words: !state.words }),
    search: () => {
      change({ words: true })
      // It may have to be drawn first.
      setTimeout(() => search.current?.focus(), 0)
    },
    full: () => void (document.fullscreenElement ? document.exitFullscreen() : stage.current?.requestFullscreen()),
    nextReview: onNextReview,
    keys: () => change({ keys: !state.keys }),
  }
  const run = (command: Command): void => {
    const jump = jumps[command]
    const place = /^front(\d)$/.exec(command)?.[1]
    if (jump !== undefined) engine.seek(engine.atMs + jump)
    else if (command === 'itemBack' || command === 'itemOn')
      seek(engine, front && itemBeside(front, engine.atMs, steps[command])?.atMs)
    else if (command === 'momentBack' || command === 'momentOn')
      change(stepToMoment(engine, places, { gone, direction: steps[command] }))
    else if (place === undefined) others[command]?.()
    else choose(pictures[Number(place) - 1])
  }
  return { state, change, run }
}
