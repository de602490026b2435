import { describe, expect, it } from 'vitest'
import type { Finding } from './checking.ts'
import { playerOf, settled, source } from './player.test-support.ts'

const observed = (from: number, to: number) => [from, to, 'observed', null, true] as const
const gap = (from: number, to: number) => [from, to, 'gap', 'unplugged', false] as const
const each5s = Array.from({ length: 60 }, (_, index) => index * 5000)
const screen = () => source('screen', { at: each5s, account: [observed(0, 300_000)] })

describe('playing', () => {
  it('waits for the first picture, then runs by the clock', async () => {
    const { engine, last, phase, pass, view } = playerOf([screen()])
    engine.play()
    expect(phase()).toBe('loading')
    expect(view('screen')).toMatchObject({ kind: 'loading', last: undefined })
    pass(3000)
    expect(engine.atMs).toBe(0)
    last().arrive(0, 5000)
    await settled()
    expect(phase()).toBe('playing')
    expect(view('screen')).toMatchObject({ kind: 'item', item: { id: 'screen@0' } })
    pass(4000)
    expect(engine.atMs).toBe(4000)
    pass(1000)
    expect(view('screen')).toMatchObject({ kind: 'item', item: { id: 'screen@5000' } })
  })

  it('stands still where the next picture has not come, and shows the last one meanwhile', async () => {
    const { engine, last, phase, pass, view } = playerOf([screen()])
    engine.play()
    last().arrive(0)
    await settled()
    pass(5500)
    expect(phase()).toBe('loading')
    expect(view('screen')).toMatchObject({ kind: 'loading', item: { id: 'screen@5000' }, last: { id: 'screen@0' } })
    pass(9000)
    expect(engine.atMs).toBe(5500)
    last().arrive(5000)
    await settled()
    expect(phase()).toBe('playing')
    expect(engine.atMs).toBe(5500)
  })

  it('waits for every source that has something at this time, and for none that has not', async () => {
    const camera = source('camera', { at: [0], durations: [4000], lane: 'camera', account: [observed(0, 4000)] })
    const { engine, asked, phase, pass, view } = playerOf([screen(), camera])
    engine.play()
    const of = (name: string) => asked.findLast(({ source: asks }) => asks === name)!
    of('screen').arrive(...each5s.slice(0, 12))
    await settled()
    expect(phase()).toBe('loading')
    of('camera').arrive(0)
    await settled()
    expect(phase()).toBe('playing')
    pass(4500)
    expect(phase()).toBe('playing')
    expect(view('camera')).toEqual({ kind: 'nothing' })
  })

  it('asks for pictures first where somebody only looks, and waits for no sound before it plays', async () => {
    const at = Array.from({ length: 30 }, (_, n) => n * 10_000)
    const sound = source('microphone', { at, durations: at.map(() => 10_000), lane: 'microphone' })
    const { engine, asked, phase } = playerOf([screen(), sound])
    const of = (name: string) => asked.findLast(({ source: asks }) => asks === name)
    engine.tick()
    expect([phase(), of('microphone')]).toEqual(['loading', undefined])
    of('screen')?.arrive(...each5s.slice(0, 12))
    await settled()
    expect(phase()).toBe('paused')
    expect(of('microphone')).toBeDefined()
    engine.play()
    expect(phase()).toBe('loading')
    of('microphone')?.arrive(0)
    await settled()
    expect(phase()).toBe('playing')
  })

  it('is faster and slower as asked, from where it is', async () => {
    const { engine, last, pass } = playerOf([screen()])
    engine.play()
    last().arrive(...each5s.slice(0, 12))
    await settled()
    engine.rate = 4
    pass(1000)
    expect(engine.atMs).toBe(4000)
    engine.rate = 0.5
    pass(1000)
    expect(engine.atMs).toBe(4500)
  })

  it('pauses, goes on, ends, and begins again from the start', async () => {
    const { engine, last, phase, pass } = playerOf([source('screen', { at: [0], account: [observed(0, 8000)] })])
    engine.play()
    last().arrive(0)
    await settled()
    pass(2000)
    engine.toggle()
    pass(2000)
    expect([phase(), engine.atMs]).toEqual(['paused', 2000])
    engine.toggle()
    pass(60_000)
    expect([phase(), engine.atMs, engine.playing().wanted]).toEqual(['ended', 8000, false])
    engine.tick()
    expect(phase()).toBe('ended')
    engine.play()
    expect([phase(), engine.atMs]).toEqual(['playing', 0])
  })

  it('plays a gap as what the account says of it', async () => {
    const account = [observed(0, 5000), gap(5000, 60_000), observed(60_000, 70_000)]
    const { engine, last, phase, pass, view } = playerOf([source('screen', { at: [0, 60_000], account })])
    engine.play()
    last().arrive(0, 60_000)
    await settled()
    pass(6000)
    expect(phase()).toBe('playing')
    expect(view('screen')).toMatchObject({ kind: 'band', stretch: { reason: 'unplugged', toMs: 60_000 } })
  })

  it('works without a single object', () => {
    const { engine, phase, pass, view, asked } = playerOf([source('screen', { account: [gap(0, 9000)] })])
    engine.play()
    expect(phase()).toBe('playing')
    expect(view('screen')).toMatchObject({ kind: 'band' })
    pass(9000)
    expect(phase()).toBe('ended')
    expect(asked).toEqual([])
  })
})

describe('another place', () => {
  it('stops what is on its way for the one before, and asks for what is there', () => {
    const { engine, asked } = playerOf([screen()])
    engine.play()
    engine.seek(200_000)
    expect(asked.map(({ fromMs, signal }) => [fromMs, signal.aborted])).toEqual([
      [0, true],
      [200_000, false],
    ])
    engine.seek(121_000)
    expect(asked.map(({ signal }) => signal.aborted)).toEqual([true, true, false])
    expect(asked[2]?.fromMs).toBe(120_000)
  })

  it('within what is on its way already asks for nothing again', () => {
    const { engine, asked } = playerOf([screen()])
    engine.play()
    engine.seek(20_000)
    engine.seek(40_000)
    expect(asked).toHaveLength(1)
    expect(asked[0]?.signal.aborted).toBe(false)
  })

  it('is looked for without a request, and sought once when it is let go', async () => {
    const { engine, asked, phase, last } = playerOf([screen()])
    engine.tick()
    last().arrive(0)
    await last().end(5000)
    const before = asked.length
    for (let at = 60_000; at < 250_000; at += 10_000) engine.scrub(at)
    expect([phase(), engine.atMs, asked.length]).toEqual(['scrubbing', 240_000, before])
    engine.release()
    expect(asked.length).toBe(before + 1)
    expect(last().fromMs).toBe(240_000)
    engine.release()
    expect(asked.length).toBe(before + 1)
  })

  it('lies within the interview', () => {
    const { engine } = playerOf([screen()])
    engine.seek(-5000)
    expect(engine.atMs).toBe(0)
    engine.seek(9e9)
    expect(engine.atMs).toBe(300_000)
  })

  it('takes nothing of what came late from the one before as a failure', async () => {
    const { engine, asked, phase } = playerOf([screen()])
    engine.play()
    engine.seek(200_000)
    await asked[0]!.fail(new Error('aborted'))
    expect(phase()).toBe('loading')
    expect(engine.playing().problem).toBeUndefined()
  })
})

describe('what comes next', () => {
  it('is asked for before it is needed, once', async () => {
    const { asked, engine, last, pass } = playerOf([screen()])
    engine.play()
    last().arrive(...each5s.slice(0, 12))
    await last().end(60_000)
    pass(10_000)
    expect(asked).toHaveLength(1)
    pass(31_000)
    expect(asked).toHaveLength(2)
    expect([last().fromMs, last().toMs]).toEqual([60_000, 120_000])
    pass(1000)
    expect(asked).toHaveLength(2)
  })

  it('reaches to what is there already, and no further', async () => {
    const { engine, last } = playerOf([screen()])
    engine.seek(30_000)
    last().arrive(...each5s.slice(6, 18))
    await last().end(90_000)
    engine.seek(10_000)
    expect([last().fromMs, last().toMs]).toEqual([10_000, 30_000])
  })

  it('has a minute of sound in the first reel of a place, and ten minutes in those that go on', async () => {
    const at = Array.from({ length: 30 }, (_, n) => n * 10_000)
    const sound = source('microphone', { at, durations: at.map(() => 10_000), lane: 'microphone' })
    const { engine, asked, last, pass } = playerOf([sound])
    engine.play()
    expect([last().fromMs, last().toMs]).toEqual([0, 60_000])
    last().arrive(...at.slice(0, 6))
    await last().end(60_000)
    pass(15_000)
    expect(asked).toHaveLength(1)
    pass(15_000)
    expect([last().fromMs, last().toMs]).toEqual([60_000, 660_000])
  })

  it('that the reel has not, though the index names it, is said and not asked for again', async () => {
    const { engine, asked, last, phase, view, pass } = playerOf([screen()])
    engine.play()
    last().arrive(0, 10_000)
    await last().end(60_000)
    pass(5000)
    expect(phase()).toBe('playing')
    expect(view('screen')).toMatchObject({ kind: 'item', kept: { absent: 'unreadable' } })
    expect(asked).toHaveLength(1)
  })

  it('that no reel has room for is fetched alone', async () => {
    const { engine, alone, last, view } = playerOf([screen()])
    engine.play()
    last().hand({ id: 'screen@0', absent: 'too_large', bytes: new Uint8Array(0) })
    await settled()
    expect(alone).toEqual(['screen@0'])
    expect(view('screen')).toMatchObject({ kind: 'item', kept: { absent: undefined, bytes: new Uint8Array([9]) } })
  })
})

describe('a failure', () => {
  it('is said, waited for, tried again, and over when the answer comes', async () => {
    const { asked, engine, last, pass, phase } = playerOf([screen()])
    engine.play()
    await last().fail(new Error('no network'))
    expect(phase()).toBe('failed')
    expect(engine.playing().problem).toEqual(new Error('no network'))
    pass(500)
    expect(asked).toHaveLength(1)
    pass(600)
    expect(asked).toHaveLength(2)
    expect(phase()).toBe('loading')
    last().arrive(0, 5000)
    await settled()
    expect(phase()).toBe('playing')
  })

  it('is tried again at once where somebody asks for it', async () => {
    const { asked, engine, last } = playerOf([screen()])
    engine.play()
    await last().fail(new Error('no network'))
    engine.retry()
    expect(asked).toHaveLength(2)
  })

  it('of what is needed later does not stop what is there', async () => {
    const { engine, last, pass, phase } = playerOf([screen()])
    engine.play()
    last().arrive(...each5s.slice(0, 12))
    await last().end(60_000)
    pass(41_000)
    await last().fail(new Error('no network'))
    expect(phase()).toBe('playing')
  })
})

describe('an item that does not fit', () => {
  it('has no bytes to show, and stops nothing', async () => {
    const check = async ({ id }: { readonly id: string }): Promise<Finding> => (id === 'screen@0' ? 'unfit' : 'signed')
    const { engine, last, pass, phase, view } = playerOf([screen()], check)
    engine.play()
    last().arrive(0, 5000)
    await settled()
    expect(phase()).toBe('playing')
    expect(view('screen')).toMatchObject({ kept: { finding: 'unfit', bytes: new Uint8Array(0) } })
    pass(5000)
    expect(view('screen')).toMatchObject({ kept: { finding: 'signed', bytes: new Uint8Array([1, 2, 3]) } })
  })

  it('is not shown before it has been checked', async () => {
    const { promise, resolve } = Promise.withResolvers<'signed'>()
    const { engine, last, phase } = playerOf([screen()], () => promise)
    engine.play()
    last().arrive(0)
    await settled()
    expect(phase()).toBe('loading')
    resolve('signed')
    await settled()
    expect(phase()).toBe('playing')
  })
})

describe('what is told', () => {
  it('is what has changed, and the place ten times a second', async () => {
    const { engine, last, pass } = playerOf([screen()])
    engine.play()
    last().arrive(...each5s.slice(0, 12))
    await settled()
    let told = 0
    const stop = engine.subscribe(() => {
      told += 1
    })
    for (let tick = 0; tick < 10; tick += 1) pass(20)
    expect(told).toBe(2)
    const before = engine.playing()
    engine.tick()
    expect(engine.playing()).toBe(before)
    stop()
    pass(1000)
    expect(told).toBe(2)
  })

  it('counts what has been shown, and not what was jumped over', async () => {
    const { engine, last, pass } = playerOf([screen()])
    engine.play()
    last().arrive(...each5s.slice(0, 12))
    await settled()
    for (let tick = 0; tick < 40; tick += 1) pass(100)
    engine.seek(30_000)
    for (let tick = 0; tick < 20; tick += 1) pass(100)
    expect(engine.seen.has(3000)).toBe(true)
    expect(engine.seen.has(20_000)).toBe(false)
    expect(engine.seen.has(31_000)).toBe(true)
    expect(Math.round(engine.seen.totalMs / 1000)).toBe(6)
  })
})
