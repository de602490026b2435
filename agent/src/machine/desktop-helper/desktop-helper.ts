import { type ChildProcessByStdio, spawn } from 'node:child_process'
import type { Readable } from 'node:stream'
import { aborted, type Source } from '../../core/observers/sampled-observer.ts'
import type { Observability } from '../../core/observers/types.ts'
import { childClosed, type Environment, stopChild } from '../../shared/child-process.ts'
import { type Clock, systemClock } from '../../shared/clock.ts'
import { boundedLines } from './bounded-lines.ts'
import { type HelperState, type HelperTopic, parseHelperLine } from './helper-lines.ts'

/** A line with every process of a busy machine is a tenth of this. */
const longestLine = 512 * 1024
/** A helper says some thirty lines in ten seconds. */
const mostLines = 300
const linesWindowMs = 10_000
/** It says it is alive every five seconds. */
const silentAfterMs = 60_000
/** Compiling its calls takes a slow Windows machine some seconds. */
const firstStateMs = 30_000
/** A probe leaves the child running this long, for the observer that starts next. */
const lingerMs = 2000

export interface HelperCommand {
  command: string
  args: string[]
}
export type DesktopHelperOptions = HelperCommand & {
  env?: Environment | undefined
  clock?: Clock | undefined
  silentMs?: number
  firstStateMs?: number
}

/** One long-lived child that looks at several things for several observers. It runs while somebody follows it. */
export interface DesktopHelper {
  /** Whether the child can look at this; `sentence` is the reason for the candidate when it cannot. */
  probe(topic: HelperTopic, sentence: string): Promise<Observability>
  /** The states of one thing, the newest known first. */
  source<T extends HelperTopic>(topic: T): Source<HelperState<T>>
}

type Listener = (state: HelperState<HelperTopic>) => void

/** One run of the child, from its start to its end. */
class HelperRun {
  readonly #child: ChildProcessByStdio<null, Readable, null>
  readonly #closed: Promise<void>
  readonly #newest = new Map<HelperTopic, HelperState<HelperTopic>>()
  readonly #unable = new Set<HelperTopic>()
  readonly #listeners = new Map<HelperTopic, Set<Listener>>()
  readonly #ended = Promise.withResolvers<never>()
  readonly #unableNow = new Map<HelperTopic, PromiseWithResolvers<never>>()
  users = 0
  /** Users that are only probes waiting for the observer that starts next. */
  readonly lingering = new Set<NodeJS.Timeout>()

  constructor(options: DesktopHelperOptions) {
    const { command, args, env = process.env } = options
    this.#child = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'ignore'], windowsHide: true })
    this.#closed = childClosed(this.#child)
    // A child never outlives the agent: killed, it would end at its next line; ending itself, the agent ends it.
    const end = (): void => void this.#child.kill()
    process.once('exit', end)
    void this.#closed.then(() => process.off('exit', end))
    this.#ended.promise.catch(() => undefined)
    this.#child.once('error', () => this.#ended.reject(new Error('the helper could not be started')))
    void this.#read(options)
  }

  /** Rejects when the child has ended, whatever the reason. */
  get ended(): Promise<never> {
    return this.#ended.promise
  }

  async follow(topic: HelperTopic, listener: Listener, signal: AbortSignal): Promise<void> {
    if (this.#unable.has(topic)) throw new Error(`the helper cannot look at: ${topic}`)
    // What one observer makes of a state must not end the child for all.
    const own = Promise.withResolvers<never>()
    own.promise.catch(() => undefined)
    const heard: Listener = (state) => {
      try {
        listener(state)
      } catch (error) {
        own.reject(error)
      }
    }
    const newest = this.#newest.get(topic)
    if (newest) heard(newest)
    const listeners = this.#listeners.get(topic) ?? new Set()
    this.#listeners.set(topic, listeners.add(heard))
    const unable = this.#unableNow.get(topic) ?? Promise.withResolvers<never>()
    unable.promise.catch(() => undefined)
    this.#unableNow.set(topic, unable)
    try {
      await Promise.race([this.ended, unable.promise, own.promise, aborted(signal)])
    } finally {
      listeners.delete(heard)
    }
  }

  async stop(): Promise<void> {
    await stopChild(this.#child)
    await this.#closed
  }

  async #read({ clock = systemClock, silentMs = silentAfterMs }: DesktopHelperOptions): Promise<void> {
    const silence = setTimeout(() => this.#fail('the helper said nothing for too long'), silentMs)
    let window = { since: clock.monotonicMs(), lines: 0 }
    try {
      for await (const line of boundedLines(this.#child.stdout, longestLine)) {
        silence.refresh()
        if (clock.monotonicMs() - window.since > linesWindowMs) window = { since: clock.monotonicMs(), lines: 0 }
        window.lines += 1
        if (window.lines > mostLines) throw new Error('far more lines than agreed')
        this.#take(line)
      }
      this.#fail('the helper ended')
    } catch (error) {
      this.#fail(`the helper said something that cannot be used: ${error instanceof Error ? error.message : ''}`)
    } finally {
      clearTimeout(silence)
    }
  }

  #take(text: string): void {
    const line = parseHelperLine(text)
    if (line.topic === 'alive') return
    if (line.topic === 'failed') {
      this.#unable.add(line.of)
      this.#unableNow.get(line.of)?.reject(new Error(`the helper cannot look at: ${line.of}`))
      return
    }
    this.#newest.set(line.topic, line.state)
    for (const listener of this.#listeners.get(line.topic) ?? []) listener(line.state)
  }

  #fail(why: string): void {
    this.#ended.reject(new Error(why))
    void stopChild(this.#child)
  }
}

/** The helper of this command; its child is started when the first observer needs it and ended with the last. */
export const createDesktopHelper = (options: DesktopHelperOptions): DesktopHelper => {
  let running: HelperRun | undefined
  const known = new Set<HelperTopic>()

  const take = (): HelperRun => {
    if (!running) {
      const run = new HelperRun(options)
      running = run
      run.ended.catch(() => {
        if (running === run) running = undefined
        // What the next child can look at has to be seen again: until then there is a gap.
        known.clear()
      })
    }
    running.users += 1
    return running
  }
  const release = async (run: HelperRun): Promise<void> => {
    run.users -= 1
    if (run.users > run.lingering.size) return
    for (const timer of run.lingering) clearTimeout(timer)
    run.lingering.clear()
    if (running === run) running = undefined
    await run.stop()
  }

  return {
    probe: async (topic, sentence) => {
      if (known.has(topic)) return { status: 'observable' }
      const run = take()
      const enough = AbortSignal.timeout(options.firstStateMs ?? firstStateMs)
      const seen = new AbortController()
      try {
        await run.follow(topic, () => seen.abort(), AbortSignal.any([enough, seen.signal]))
      } catch {
        // Its own words are not for the candidate.
      }
      if (!seen.signal.aborted) {
        await release(run)
        return { status: 'not_observable', why: sentence }
      }
      known.add(topic)
      const timer = setTimeout(() => {
        run.lingering.delete(timer)
        void release(run)
      }, lingerMs)
      run.lingering.add(timer)
      return { status: 'observable' }
    },
    source: (topic) => async (see, signal) => {
      if (signal.aborted) return
      const run = take()
      try {
        await run.follow(topic, (state) => see(state as Parameters<typeof see>[0]), signal)
      } finally {
        await release(run)
      }
    },
  }
}
