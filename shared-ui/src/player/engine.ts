import type { Finding } from './checking.ts'
import { Clock } from './clock.ts'
import { ItemStore, type KeptItem } from './item-store.ts'
import type { Phase, Playing } from './playing.ts'
import type { ReelItem } from './reel.ts'
import { ReelLoader, type ReelPorts } from './reel-loader.ts'
import { SeenTime } from './seen-time.ts'
import { itemAt, itemsBetween, type Timeline, type Track } from './timeline.ts'
import { type View, viewKey, viewOf } from './view.ts'

export interface EnginePorts extends ReelPorts {
  readonly check: (item: ReelItem) => Promise<Finding>
}

/** Of what is played, milliseconds at a rate of one. */
const ahead = { pictures: 20_000, sound: 40_000, words: 0 } as const
/** Bytes of items that are kept. */
const mostBytes = 96 * 1024 * 1024
/** How often the place is told while nothing else changes. */
const stepMs = 100

interface Followed {
  readonly track: Track
  readonly loader: ReelLoader
  last: KeptItem | undefined
}

/** Plays an interview from its reels. It draws nothing, fetches nothing, and goes on when it is ticked. */
export class PlayerEngine {
  readonly timeline: Timeline
  readonly seen = new SeenTime()
  readonly #clock: Clock
  readonly #store = new ItemStore(mostBytes)
  readonly #followed: readonly Followed[]
  readonly #listeners = new Set<() => void>()
  #wanted = false
  #scrubMs: number | undefined
  #shown: Playing
  #shownKey = ''

  constructor(timeline: Timeline, ports: EnginePorts, atMs = timeline.fromMs) {
    this.timeline = timeline
    this.#clock = new Clock(ports.now, this.#within(atMs))
    const { check, ...reels } = ports
    this.#followed = timeline.tracks
      .filter(({ items }) => items.length > 0)
      .map((track) => ({ track, last: undefined, loader: this.#loaderOf(track, reels, check) }))
    this.#shown = this.#look('paused', undefined)
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  playing = (): Playing => this.#shown

  /** To the millisecond, also between two of what is told. */
  get atMs(): number {
    return this.#scrubMs ?? this.#within(this.#clock.atMs)
  }

  /** Told of each item whose bytes are no longer kept. */
  set onGone(listener: (id: string) => void) {
    this.#store.onGone = listener
  }

  kept(id: string): KeptItem | undefined {
    return this.#store.get(id)
  }

  play(): void {
    if (this.atMs >= this.timeline.toMs) this.#clock.moveTo(this.timeline.fromMs)
    this.#wanted = true
    this.tick()
  }

  pause(): void {
    this.#wanted = false
    this.tick()
  }

  toggle(): void {
    if (this.#wanted) this.pause()
    else this.play()
  }

  set rate(rate: number) {
    this.#clock.rate = rate
    this.tick()
  }

  /** What is on its way for another place is not waited for any longer. */
  seek(atMs: number): void {
    this.#scrubMs = undefined
    this.#clock.moveTo(this.#within(atMs))
    this.tick()
  }

  /** A place is looked for: nothing is loaded for it until `release`. */
  scrub(atMs: number): void {
    this.#scrubMs = this.#within(atMs)
    this.tick()
  }

  release(): void {
    if (this.#scrubMs !== undefined) this.seek(this.#scrubMs)
  }

  retry(): void {
    for (const { loader } of this.#followed) loader.retry()
    this.tick()
  }

  stop(): void {
    this.#wanted = false
    this.#clock.halt()
    for (const { loader } of this.#followed) loader.stop()
    this.#store.clear()
    this.#listeners.clear()
  }

  /** Goes on: sees what has arrived, asks for what is needed next, and tells what has changed. */
  tick = (): void => {
    if (this.#scrubMs !== undefined) {
      this.#clock.halt()
      this.#tell('scrubbing', undefined)
      return
    }
    const atMs = this.atMs
    const failed = this.#load(atMs)
    const phase = this.#phaseAt(atMs, failed !== undefined)
    if (phase === 'ended') this.#wanted = false
    if (phase === 'playing') this.#clock.run()
    else this.#clock.halt()
    this.#tell(phase, failed?.loader.problem)
  }

  #within(atMs: number): number {
    return Math.max(this.timeline.fromMs, Math.min(this.timeline.toMs, atMs))
  }

  #loaderOf(track: Track, ports: ReelPorts, check: EnginePorts['check']): ReelLoader {
    const needed = (id: string): boolean => {
      const span = this.#spanOf(track, this.atMs)
      return itemsBetween(track, ...span).some((item) => item.id === id)
    }
    const keep = async ({ id, contentType, absent, bytes, ...item }: ReelItem): Promise<void> => {
      const finding = absent === undefined ? await check({ id, contentType, bytes, ...item }) : 'unsigned'
      const shown = finding === 'unfit' ? new Uint8Array(0) : bytes
      this.#store.put({ id, contentType, finding, absent, bytes: shown }, needed)
    }
    return new ReelLoader({ track, size: 'full', ports, store: this.#store, keep, onChange: this.tick })
  }

  #spanOf({ kind }: Track, atMs: number): [fromMs: number, toMs: number] {
    return [atMs, atMs + ahead[kind] * Math.max(1, this.#clock.rate)]
  }

  /** The first source that could not be loaded and is needed now. */
  #load(atMs: number): Followed | undefined {
    const waits = this.#followed.some(({ track }) => this.#needs(track) && this.#lacks(track, atMs))
    for (const { track, loader } of this.#followed)
      loader.want(itemsBetween(track, ...this.#spanOf(track, atMs)), !waits || this.#needs(track))
    return this.#followed.find(
      ({ track, loader }) => loader.problem !== undefined && !loader.loading && this.#lacks(track, atMs),
    )
  }

  /** Whoever looks at a place waits for its pictures alone, and sound comes behind them; whoever plays waits for all. */
  #needs({ kind }: Track): boolean {
    return this.#wanted || kind === 'pictures' || !this.#followed.some(({ track }) => track.kind === 'pictures')
  }

  #lacks(track: Track, atMs: number): boolean {
    const item = itemAt(track, atMs)
    return item !== undefined && !this.#store.has(item.id)
  }

  #phaseAt(atMs: number, failed: boolean): Phase {
    if (atMs >= this.timeline.toMs) return 'ended'
    if (failed) return 'failed'
    if (this.#followed.some(({ track }) => this.#needs(track) && this.#lacks(track, atMs))) return 'loading'
    return this.#wanted ? 'playing' : 'paused'
  }

  #look(phase: Phase, problem: unknown): Playing {
    const { atMs } = this
    const views = new Map<string, View>()
    for (const track of this.timeline.tracks) {
      const followed = this.#followed.find((one) => one.track === track)
      const view = viewOf(track, atMs, this.#store, followed?.last)
      if (followed && view.kind === 'item') followed.last = view.kept
      views.set(track.source, view)
    }
    return { phase, wanted: this.#wanted, atMs, rate: this.#clock.rate, views, problem }
  }

  #tell(phase: Phase, problem: unknown): void {
    const playing = this.#look(phase, problem)
    if (phase === 'playing' || phase === 'paused') this.seen.at(playing.atMs, phase === 'playing')
    else this.seen.leave()
    const { wanted, rate, views } = playing
    const place = Math.floor(playing.atMs / stepMs)
    const key = [phase, wanted, rate, place, ...[...views].map(([, view]) => viewKey(view))].join('|')
    if (key === this.#shownKey) return
    this.#shownKey = key
    this.#shown = playing
    for (const listener of this.#listeners) listener()
  }
}
