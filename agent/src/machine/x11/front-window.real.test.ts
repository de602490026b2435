import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { until } from '../../../test/test-support/until.ts'
import { canRunWith, startVirtualDesktop, type VirtualDesktop } from '../../../test/test-support/virtual-desktop.ts'
import { runCommand, stopChild } from '../../shared/child-process.ts'
import { applicationOf, FrontWindow } from './front-window.ts'
import { readBytes, readWords, selectEvents } from './properties.ts'
import { type PretendedManager, pretendManager } from './test-support/pretended-manager.ts'
import { answering } from './test-support/x-server.ts'
import { words32, XConnection, XRefusal } from './x-connection.ts'

const untold = 'the window manager does not say which window is in front'

describe('WM_CLASS', () => {
  it('names the application in its second string', () => {
    expect(applicationOf(Buffer.from('navigator\0Firefox "ESR"\0'))).toBe('Firefox "ESR"')
    expect(applicationOf(Buffer.from('\0Über\0', 'latin1'))).toBe('Über')
  })

  it('names none when it is cut short or empty', () => {
    for (const text of ['', 'navigator', 'navigator\0', '\0\0\0'])
      expect(applicationOf(Buffer.from(text))).toBeUndefined()
  })
})

describe('a property that is not what it says', () => {
  const setUp = Buffer.from([1, 0, 11, 0, 0, 0, 10, 0, ...Array<number>(40).fill(0)])
  /** A reply of 32 bytes and `rest`, of a property in this format that says to have this many units. */
  const property = (format: number, units: number, rest = 0): Buffer => {
    const head = Buffer.from([1, format, 0, 0, ...words32(rest / 4, 31, 0, units)])
    return Buffer.concat([head, Buffer.alloc(32 - head.length + rest, 0x41)])
  }
  const asked = async <T>(reply: Buffer, ask: (connection: XConnection) => Promise<T>): Promise<T> => {
    let answer: T | undefined
    await answering(
      (chunk) => (chunk[0] === 0x6c ? setUp : reply),
      async (env) => {
        const connection = await XConnection.open(env)
        try {
          answer = await ask(connection)
        } finally {
          connection.close()
        }
      },
    )
    return answer as T
  }

  it('is an error when it is shorter than it says', async () => {
    for (const [units, rest] of [
      [0xffff_ffff, 0],
      [5, 4],
    ] as const) {
      await expect(asked(property(8, units, rest), (connection) => readBytes(connection, 1, 1, 8))).rejects.toThrow(
        'shorter than it says',
      )
      await expect(asked(property(32, units, rest), (connection) => readWords(connection, 1, 1, 8))).rejects.toThrow(
        'shorter than it says',
      )
    }
  })

  it('is none when it is of another format, and is read as long as it is', async () => {
    expect(await asked(property(32, 1, 4), (connection) => readBytes(connection, 1, 1, 8))).toBeUndefined()
    expect(await asked(property(0, 0), (connection) => readWords(connection, 1, 1, 8))).toBeUndefined()
    expect(await asked(property(8, 3, 4), (connection) => readBytes(connection, 1, 1, 8))).toEqual(Buffer.from('AAA'))
  })
})

const ready = canRunWith('the front window of X11', ['Xvfb', 'openbox', 'xprop', 'xmessage'])
describe.skipIf(!ready)('the window in front', () => {
  let desktop: VirtualDesktop
  beforeAll(async () => {
    desktop = await startVirtualDesktop({ sound: false, windowManager: false })
  })
  afterAll(() => desktop?.stop())

  const withManager = async (run: (manager: PretendedManager, front: FrontWindow) => Promise<void>): Promise<void> => {
    const manager = await pretendManager(desktop.env)
    await manager.say(0)
    const front = await FrontWindow.open(desktop.env)
    try {
      await run(manager, front)
    } finally {
      front.close()
      await manager.say(undefined)
      manager.close()
    }
  }

  it('is not known where there is no window manager, and none is not said', async () => {
    await expect(FrontWindow.open(desktop.env)).rejects.toThrow(untold)
  })

  it('is not known from what a window manager that has died said last', async () => {
    const manager = await pretendManager(desktop.env)
    await manager.say(await manager.window())
    manager.close()
    await expect(FrontWindow.open(desktop.env)).rejects.toThrow(untold)
    const next = await pretendManager(desktop.env)
    await next.say(undefined)
    next.close()
  })

  it('is told at each change, and none is none', async () => {
    await withManager(async (manager, front) => {
      let changes = 0
      front.onChange = () => {
        changes += 1
      }
      expect(await front.current()).toBeUndefined()
      const window = await manager.window({ WM_CLASS: 'one\0One\0' })
      await manager.say(window)
      await until('the change', () => changes === 1)
      expect(await front.current()).toBe(window)
      expect(await front.applicationOf(window)).toBe('One')
    })
  })

  it('may have no class and no title, or be gone', async () => {
    await withManager(async (manager, front) => {
      const window = await manager.window()
      expect([await front.applicationOf(window), await front.titleOf(window, 800)]).toEqual([undefined, undefined])
      await manager.destroy(window)
      expect([await front.applicationOf(window), await front.titleOf(window, 800)]).toEqual([undefined, undefined])
      const other = await manager.window({ WM_CLASS: 'a\0B\0' })
      expect(await front.applicationOf(other)).toBe('B')
    })
  })

  it('has a title in UTF-8, else the older one, and as much of it as is asked for', async () => {
    await withManager(async (manager, front) => {
      const old = Buffer.from('Übung', 'latin1')
      const read = async (texts: Record<string, string | Buffer>) => front.titleOf(await manager.window(texts), 800)
      expect(await read({ WM_NAME: old })).toBe('Übung')
      expect(await read({ WM_NAME: old, _NET_WM_NAME: '' })).toBe('Übung')
      expect(await read({ WM_NAME: old, _NET_WM_NAME: '日本' })).toBe('日本')
      const endless = await manager.window({ _NET_WM_NAME: 'x'.repeat(200_000), WM_CLASS: `a\0${'y'.repeat(200_000)}` })
      expect((await front.titleOf(endless, 800))?.length).toBe(800)
      expect((await front.applicationOf(endless))?.length).toBeLessThanOrEqual(4096)
    })
  })

  it('is no longer known once the window manager takes it back, or dies', async () => {
    await withManager(async (manager, front) => {
      await manager.say(undefined)
      await expect(front.current()).rejects.toThrow(untold)
    })
    const manager = await pretendManager(desktop.env)
    await manager.say(0)
    const front = await FrontWindow.open(desktop.env)
    manager.close()
    await expect(front.ended).rejects.toThrow(untold)
    front.close()
    const next = await pretendManager(desktop.env)
    await next.say(undefined)
    next.close()
  })

  it('is refused alone when a window is asked that never was', async () => {
    const connection = await XConnection.open(desktop.env)
    await expect(readBytes(connection, 0x7fff_ffff, 39, 8)).rejects.toThrow(XRefusal)
    await expect(selectEvents(connection, 0x7fff_ffff, 0)).rejects.toThrow(XRefusal)
    await selectEvents(connection, connection.root, 0)
    expect(await connection.atom('WM_CLASS')).toBe(67)
    connection.close()
  })

  /** A property that another manager left may name a window that openbox has by now, before it manages any. */
  const isManagedBy = async (name: string): Promise<boolean> => {
    const root = await runCommand('xprop', ['-root', '_NET_SUPPORTING_WM_CHECK'], desktop)
    const id = /# (0x[0-9a-f]+)/.exec(root.stdout.toString())?.[1]
    if (id === undefined) return false
    return (await runCommand('xprop', ['-id', id, '_NET_WM_NAME'], desktop)).stdout.toString().includes(name)
  }

  it('is told by a real window manager, until it ends', async () => {
    const openbox = desktop.launch('openbox', [])
    onTestFinished(() => stopChild(openbox))
    let front: FrontWindow | undefined
    await until('openbox', async () => {
      if (await isManagedBy('Openbox')) front = await FrontWindow.open(desktop.env).catch(() => undefined)
      return front !== undefined
    })
    const window = await desktop.openWindow('some text')
    await until('the window', async () => {
      const shown = await front!.current()
      return shown !== undefined && (await front!.applicationOf(shown)) === 'Xmessage'
    })
    await stopChild(window)
    const ended = expect(front!.ended).rejects.toThrow(untold)
    await stopChild(openbox)
    await ended
    front!.close()
  })
})
