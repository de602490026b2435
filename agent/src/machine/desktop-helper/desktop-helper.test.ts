import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { until } from '../../../test/test-support/until.ts'
import { watch } from '../../core/observers/test-support/watch.ts'
import { createClipboardObserver } from '../observers/clipboard.ts'
import { createForegroundObserver } from '../observers/foreground.ts'
import { macosLines } from '../observers/test-support/recorded-outputs.ts'
import { createDesktopHelper, type DesktopHelperOptions } from './desktop-helper.ts'

const child = join(import.meta.dirname, 'test-support/helper-child.ts')
const sentence = 'This cannot be seen here.'

describe('the helper', () => {
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'helper-'))
  })
  afterEach(() => rm(folder, { recursive: true, force: true }))

  const helperThat = async (
    lines: string,
    mode: 'stay' | 'die' | 'flood' | 'endless',
    more: Partial<DesktopHelperOptions> = {},
  ) => {
    const file = join(folder, 'lines')
    await writeFile(file, lines)
    return createDesktopHelper({ command: process.execPath, args: [child, file, mode], ...more })
  }
  const followed = async (helper: Awaited<ReturnType<typeof helperThat>>) => {
    const states: unknown[] = []
    const signal = new AbortController().signal
    const why = await helper
      .source('foreground')((state) => states.push(state), signal)
      .then(
        () => 'ended',
        (error: Error) => error.message,
      )
    return { states, why }
  }

  it('is one child for all observers, and is gone with the last of them', async () => {
    const script = `console.log(JSON.stringify({ topic: 'foreground', application: String(process.pid) }))
      console.log(JSON.stringify({ topic: 'idle', ms: process.pid })); setInterval(() => {}, 60000)`
    const helper = createDesktopHelper({ command: process.execPath, args: ['-e', script] })
    // The probe leaves it running for the observers, and does not keep it once they are gone.
    expect(await helper.probe('idle', sentence)).toEqual({ status: 'observable' })
    const first = new AbortController()
    const second = new AbortController()
    const pids: number[] = []
    const one = helper.source('foreground')(({ application }) => pids.push(Number(application)), first.signal)
    const two = helper.source('idle')(({ ms }) => pids.push(ms), second.signal)
    await until('both', () => pids.length === 2)
    const late = new AbortController()
    const three = helper.source('idle')(({ ms }) => pids.push(ms), late.signal)
    await until('what was said before', () => pids.length === 3)
    expect(new Set(pids).size).toBe(1)
    for (const controller of [first, late]) controller.abort()
    await Promise.all([one, three])
    expect(process.kill(pids[0]!, 0)).toBe(true)
    second.abort()
    await two
    expect(() => process.kill(pids[0]!, 0)).toThrow('ESRCH')
  })

  it('is ended when it says far too much, never ends a line, or says what is not agreed', async () => {
    expect((await followed(await helperThat('', 'flood'))).why).toContain('far more lines than agreed')
    expect((await followed(await helperThat('', 'endless'))).why).toContain('a line of more than')
    expect((await followed(await helperThat('{"topic":"fore', 'die'))).why).toContain('a line that is not JSON')
  })

  it('is ended when it says nothing for long', async () => {
    const { why, states } = await followed(await helperThat('{"topic":"alive"}\n', 'stay', { silentMs: 300 }))
    expect(why).toBe('the helper said nothing for too long')
    expect(states).toEqual([])
  })

  it('may be unable to look at one thing, and still look at others', async () => {
    const helper = await helperThat(
      '{"topic":"failed","of":"clipboard"}\n{"topic":"foreground","application":"a"}\n',
      'stay',
    )
    expect(await helper.probe('clipboard', sentence)).toEqual({ status: 'not_observable', why: sentence })
    expect(await helper.probe('foreground', sentence)).toEqual({ status: 'observable' })
  })

  it('cannot be probed where it does not exist, ends, or never tells', async () => {
    const absent = createDesktopHelper({ command: join(folder, 'no-such-program'), args: [] })
    const none = { status: 'not_observable', why: sentence }
    expect(await absent.probe('foreground', sentence)).toEqual(none)
    expect(await (await helperThat('', 'die')).probe('foreground', sentence)).toEqual(none)
    const silent = await helperThat('{"topic":"alive"}\n', 'stay', { firstStateMs: 300 })
    expect(await silent.probe('foreground', sentence)).toEqual(none)
  })

  it('does not suffer from an observer that cannot use a state', async () => {
    const helper = await helperThat(macosLines, 'stay')
    const signal = new AbortController()
    const counts: number[] = []
    const good = helper.source('clipboard')(({ count }) => counts.push(count), signal.signal)
    const bad = helper.source('foreground')(() => {
      throw new Error('not this one')
    }, signal.signal)
    await expect(bad).rejects.toThrow('not this one')
    await until('the other', () => counts.length === 2)
    signal.abort()
    await good
  })

  it('that dies is a gap for each observer, and is started again', async () => {
    const helper = await helperThat(macosLines, 'die')
    const options = { helper, platform: 'darwin' } as const
    const { seen, gaps, set } = watch([createForegroundObserver(options), createClipboardObserver(options)])
    const foreground = () => seen.filter(({ source }) => source === 'foreground').map(({ data }) => data.value)
    await until('both gaps, and its return', () => gaps.length >= 2 && foreground().length >= 3)
    await set.stop()
    expect(new Set(gaps.map(({ observer }) => observer))).toEqual(new Set(['foreground', 'clipboard']))
    expect(gaps[0]).toMatchObject({ why: 'the helper ended' })
    expect(foreground().slice(0, 3)).toEqual([
      { application: 'Safari', bundleId: 'com.apple.Safari' },
      { application: 'Notizen – Übung', bundleId: 'com.apple.Notes' },
      { application: 'Safari', bundleId: 'com.apple.Safari' },
    ])
  })
})
