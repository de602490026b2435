import type { PlayerEngine } from '../player/engine.ts'
import type { KeptItem } from '../player/item-store.ts'
import type { Playing } from '../player/playing.ts'
import { type Item, itemAt, itemsBetween, type Track } from '../player/timeline.ts'

/** What is put into the buffer before it is heard, milliseconds of the interview. */
const aheadMs = 20_000
/** Sound that is further than this from where it should be is moved there, seconds. */
const mostDrift = 0.15
/**
 * Sound that is further off than so many seconds of whoever listens catches up: a browser begins to play some time after it was asked
 * to, and a slow machine loses some on the way. By how much faster or slower it then plays, which is hardly heard with its pitch kept.
 */
const catchUps = [
  { from: 0.05, by: 0.1 },
  { from: 0.02, by: 0.05 },
] as const
/** What lies further back is let go, seconds. */
const behindSeconds = 60

const codecs: Readonly<Record<string, string>> = {
  'audio/webm': 'audio/webm; codecs=opus',
  'audio/mp4': 'audio/mp4; codecs="mp4a.40.2"',
}

const isStreamed = (contentType: string): boolean => {
  const codec = codecs[contentType]
  return codec !== undefined && typeof MediaSource !== 'undefined' && MediaSource.isTypeSupported(codec)
}

/** Sound of one source that follows the player: one buffer, so that it has no seams, at any speed with its pitch. */
export class SoundFollower {
  readonly #engine: PlayerEngine
  readonly #track: Track
  readonly #audio = new Audio()
  readonly #put = new Set<string>()
  #source: MediaSource | undefined
  #buffer: SourceBuffer | undefined
  #url: string | undefined
  /** Of one that plays alone, as its type cannot be put into a buffer. */
  #alone: string | undefined
  muted = false

  constructor(engine: PlayerEngine, track: Track) {
    this.#engine = engine
    this.#track = track
    this.#audio.preservesPitch = true
    const type = track.items.find(({ contentType }) => isStreamed(contentType))?.contentType
    if (type) this.#open(codecs[type] ?? '')
  }

  follow = (playing: Playing): void => {
    const { atMs, phase, rate } = playing
    const item = itemAt(this.#track, atMs)
    const kept = item && this.#engine.kept(item.id)
    this.#audio.muted = this.muted
    if (this.#source) this.#fill(atMs)
    else this.#playAlone(item, kept)
    const wanted = (atMs - (this.#source ? this.#engine.timeline.fromMs : (item?.atMs ?? atMs))) / 1000
    const isThere = kept !== undefined && kept.bytes.length > 0 && (!this.#source || this.#holds(wanted))
    if (!isThere || phase !== 'playing') {
      this.#audio.pause()
      if (isThere) this.#moveTo(wanted, rate)
      return
    }
    this.#moveTo(wanted, rate)
    // Before anybody has pressed anything a browser refuses; the next press plays it.
    if (this.#audio.paused) void this.#audio.play().catch(() => undefined)
  }

  stop(): void {
    this.#audio.pause()
    this.#audio.removeAttribute('src')
    if (this.#url) URL.revokeObjectURL(this.#url)
    this.#url = undefined
    this.#source = undefined
    this.#buffer = undefined
  }

  #moveTo(seconds: number, rate: number): void {
    const behind = seconds - this.#audio.currentTime
    const isFar = Math.abs(behind) > mostDrift * Math.max(1, rate)
    if (isFar) this.#audio.currentTime = seconds
    const catchUp = catchUps.find(({ from }) => Math.abs(behind) > from * Math.max(1, rate))
    const wanted = isFar || !catchUp ? rate : rate * (1 + Math.sign(behind) * catchUp.by)
    if (this.#audio.playbackRate !== wanted) this.#audio.playbackRate = wanted
  }

  #open(codec: string): void {
    const source = new MediaSource()
    this.#source = source
    this.#url = URL.createObjectURL(source)
    this.#audio.src = this.#url
    source.addEventListener('sourceopen', () => {
      const { fromMs, toMs } = this.#engine.timeline
      source.duration = (toMs - fromMs) / 1000 + 60
      this.#buffer = source.addSourceBuffer(codec)
    })
  }

  #holds(seconds: number): boolean {
    const { buffered } = this.#audio
    for (let index = 0; index < buffered.length; index += 1)
      if (seconds >= buffered.start(index) && seconds < buffered.end(index)) return true
    return false
  }

  /** One at a time, as a buffer takes no other meanwhile. */
  #fill(atMs: number): void {
    const buffer = this.#buffer
    if (!buffer || buffer.updating || this.#source?.readyState !== 'open') return
    const { fromMs } = this.#engine.timeline
    for (const item of itemsBetween(this.#track, atMs, atMs + aheadMs)) {
      const kept = this.#put.has(item.id) ? undefined : this.#engine.kept(item.id)
      if (!kept || kept.bytes.length === 0 || !isStreamed(kept.contentType)) continue
      this.#put.add(item.id)
      try {
        buffer.timestampOffset = (item.atMs - fromMs) / 1000
        buffer.appendBuffer(kept.bytes)
      } catch {
        this.#letGo(buffer, (atMs - fromMs) / 1000 - behindSeconds)
      }
      return
    }
  }

  /** The buffer is full: what is behind goes, and is put in again if somebody goes back. */
  #letGo(buffer: SourceBuffer, seconds: number): void {
    this.#put.clear()
    if (seconds > 0 && !buffer.updating) buffer.remove(0, seconds)
  }

  #playAlone(item: Item | undefined, kept: KeptItem | undefined): void {
    if (!item || !kept || kept.bytes.length === 0 || this.#alone === item.id) return
    this.#alone = item.id
    if (this.#url) URL.revokeObjectURL(this.#url)
    this.#url = URL.createObjectURL(new Blob([kept.bytes], { type: kept.contentType }))
    this.#audio.src = this.#url
  }
}
