import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { parseHelperLine } from '../helper-lines.ts'
import { macosHelperScript } from './helper-script.ts'

type App = { localizedName: string; bundleIdentifier: string } | undefined
interface Desk {
  app: App
  copies: number
  windows: object[] | 'refused'
}

const nil = { isNil: () => true }
const wrapped = (value: string) => ({ isNil: () => false, value })

/** The part of the Objective-C bridge that the script calls, over a desk that changes from second to second. */
const runScript = (topics: string[], desks: Desk[], titles = false): string[] => {
  const lines: string[] = []
  let second = 0
  const desk = (): Desk => desks[Math.min(second, desks.length - 1)]!
  const bridge = Object.assign((text: string) => ({ dataUsingEncoding: () => text }), {
    NSUTF8StringEncoding: 4,
    kCGWindowListOptionOnScreenOnly: 1,
    NSFileHandle: { fileHandleWithStandardOutput: { writeData: (text: string) => lines.push(text) } },
    NSWorkspace: {
      sharedWorkspace: {
        get frontmostApplication() {
          const { app } = desk()
          if (!app) return nil
          const { localizedName, bundleIdentifier } = app
          return {
            isNil: () => false,
            processIdentifier: 42,
            localizedName: wrapped(localizedName),
            bundleIdentifier: wrapped(bundleIdentifier),
          }
        },
      },
    },
    NSPasteboard: {
      generalPasteboard: {
        get changeCount() {
          return desk().copies
        },
      },
    },
    CGWindowListCopyWindowInfo: () => desk().windows,
    NSRunLoop: { currentRunLoop: { runUntilDate: () => undefined } },
    NSDate: { dateWithTimeIntervalSinceNow: () => 0 },
    NSThread: {
      sleepForTimeInterval: () => {
        second += 1
        if (second === desks.length) throw new Error('enough')
      },
    },
  })
  const ObjC = {
    import: () => undefined,
    unwrap: ({ value }: { value: string }) => value,
    castRefToObject: (ref: Desk['windows']) => {
      if (ref === 'refused') throw new Error('a secret path')
      return ref
    },
    deepUnwrap: (list: object[]) => list,
  }
  expect(() => runInNewContext(`${macosHelperScript(titles)}\nrun(topics)`, { $: bridge, ObjC, topics })).toThrow(
    'enough',
  )
  return lines
}

const safari = { localizedName: 'Safari', bundleIdentifier: 'com.apple.Safari' }
const bounds = { X: 1, Y: 2, Width: 30, Height: 40 }
const windows = [
  {
    kCGWindowNumber: 5,
    kCGWindowOwnerName: 'Vault',
    kCGWindowName: 'a title',
    kCGWindowSharingState: 0,
    kCGWindowBounds: bounds,
  },
  { kCGWindowNumber: 6, kCGWindowOwnerName: 'Safari', kCGWindowSharingState: 1, kCGWindowBounds: bounds },
]
const desk = (more: Partial<Desk> = {}): Desk => ({ app: safari, copies: 3, windows, ...more })

describe('the helper of macOS, over a bridge of our own', () => {
  it('says what the protocol has, the application only when it changes, and no title', () => {
    const seconds = [desk(), desk(), desk({ app: undefined }), desk(), desk(), desk({ copies: 4 }), desk()]
    const lines = runScript(['foreground', 'clipboard', 'windows'], seconds)
    expect(lines.every((line) => line.endsWith('\n'))).toBe(true)
    expect(lines.map(parseHelperLine)).toEqual([
      { topic: 'foreground', state: { application: 'Safari', bundleId: 'com.apple.Safari' } },
      { topic: 'clipboard', state: { count: 3 } },
      { topic: 'alive' },
      {
        topic: 'windows',
        state: { excluded: [{ key: '5', application: 'Vault', x: 1, y: 2, width: 30, height: 40 }] },
      },
      { topic: 'foreground', state: { application: null, bundleId: null } },
      { topic: 'foreground', state: { application: 'Safari', bundleId: 'com.apple.Safari' } },
      { topic: 'clipboard', state: { count: 4 } },
      { topic: 'alive' },
    ])
    expect(lines.join('')).not.toContain('title')
  })

  it('says the title of the window in front, and when it changes, where titles are wanted', () => {
    const front = (title?: string) => ({
      kCGWindowLayer: 0,
      kCGWindowOwnerPID: 42,
      kCGWindowSharingState: 1,
      kCGWindowBounds: bounds,
      ...(title === undefined ? {} : { kCGWindowName: title }),
    })
    const other = { ...front('of another program'), kCGWindowOwnerPID: 7 }
    const menu = { ...front('a menu'), kCGWindowLayer: 25 }
    const seconds = [front('Übung'), front('Übung'), front('Second'), front()].map((one) =>
      desk({ windows: [other, menu, one] }),
    )
    const told = runScript(['foreground'], [...seconds, desk({ app: undefined })], true).map(parseHelperLine)
    expect(told.flatMap((line) => (line.topic === 'foreground' ? [line.state.title] : []))).toEqual([
      'Übung',
      'Second',
      null,
      null,
    ])
  })

  it('looks at nothing that was not asked, and goes on without what it cannot look at', () => {
    expect(runScript(['clipboard'], [desk()]).map(parseHelperLine)).toEqual([
      { topic: 'clipboard', state: { count: 3 } },
      { topic: 'alive' },
    ])
    const refused = runScript(['foreground', 'windows'], [desk({ windows: 'refused' })])
    expect(refused.map(parseHelperLine).at(-1)).toEqual({ topic: 'failed', of: 'windows' })
    expect(refused.join('')).not.toContain('secret')
  })
})
