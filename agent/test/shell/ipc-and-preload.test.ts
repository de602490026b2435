import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runInNewContext } from 'node:vm'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { buildPreloads } from '../../build/build-app.ts'
import {
  type AgentBridge,
  type CommandName,
  commandChannel,
  commandNames,
  pushChannel,
  pushNames,
} from '../../src/shared/ipc/channels.ts'
import { Pusher } from '../../src/shell/main/pushes.ts'
import { until } from '../test-support/until.ts'
import { electron, FakeContents, type Frame } from './fake-electron.ts'
import { type RunningShell, runShell } from './running-shell.ts'
import { recordingState, usualAnswer } from './scripted-core.ts'

vi.mock('electron', () => import('./fake-electron.ts'))

const good: Record<CommandName, unknown> = {
  'state.read': {},
  'session.join': { code: 'K7QF-2M9X', server: 'https://interviews.example.org' },
  'session.forget': {},
  'consent.agree': { hash: 'a'.repeat(64), answers: { screen: true, camera: false } },
  'consent.decline': {},
  'check.again': { lane: 'camera' },
  'check.choose': { lane: 'microphone', deviceId: 'mic-1' },
  'check.settings': { lane: 'screen' },
  'check.speaker': {},
  'check.back': {},
  'check.done': {},
  'recording.pause': {},
  'recording.resume': {},
  'recording.break': {},
  'recording.withdraw': { lane: 'camera' },
  'recording.answer': { hash: 'abc', lane: 'camera', agree: true },
  'recording.end': {},
  'phone.invite': {},
  'phone.cancel': {},
  'requests.open': {},
  'session.logo': {},
  'notice.dismiss': { id: 'n1' },
  'app.locale': { locale: 'hi' },
  'app.background': {},
  'app.quit': {},
  'update.install': {},
}
/** What is answered with what was asked for, and not with whether it was done. */
const asksForSomething: readonly CommandName[] = ['state.read', 'session.logo']
const malformed = [
  undefined,
  null,
  'text',
  7,
  [],
  { more: 1 },
  { lane: 'keyboard' },
  { code: 'x'.repeat(3000) },
  { ['__proto__x']: 1 },
]

let shell: RunningShell
let preloads: string
beforeAll(async () => {
  preloads = await mkdtemp(join(tmpdir(), 'preloads-'))
  await buildPreloads(preloads)
})
afterAll(() => rm(preloads, { recursive: true, force: true }))
beforeEach(async () => {
  shell = await runShell()
})
afterEach(() => shell.stop())

const ourEvent = (): { sender: FakeContents; senderFrame: Frame | null } => ({
  sender: shell.window.webContents,
  senderFrame: shell.window.webContents.mainFrame,
})
const invoke = (name: CommandName, input: unknown, event: unknown = ourEvent()): Promise<unknown> =>
  electron.handlers.get(commandChannel(name))!(event, input)

/** The built preload, run as the sandbox runs it: `require` knows electron alone. */
const runWindowPreload = async (): Promise<{
  bridge: AgentBridge
  listeners: Map<string, Set<(...args: unknown[]) => void>>
  exposed: string[]
}> => {
  const exposed: Record<string, unknown> = {}
  const listeners = new Map<string, Set<(...args: unknown[]) => void>>()
  const fake = {
    contextBridge: { exposeInMainWorld: (name: string, value: unknown) => Object.assign(exposed, { [name]: value }) },
    ipcRenderer: {
      invoke: async (channel: string, input: unknown) => {
        const handler = electron.handlers.get(channel)
        if (!handler) throw new Error(`No handler registered for '${channel}'`)
        return structuredClone(await handler(ourEvent(), structuredClone(input)))
      },
      on: (channel: string, listener: (...args: unknown[]) => void) =>
        listeners.set(channel, (listeners.get(channel) ?? new Set()).add(listener)),
      off: (channel: string, listener: (...args: unknown[]) => void) => listeners.get(channel)?.delete(listener),
    },
  }
  const require = (name: string): unknown => {
    if (name !== 'electron') throw new Error(`module not found: ${name}`)
    return fake
  }
  runInNewContext(await readFile(join(preloads, 'window-preload.cjs'), 'utf8'), { require, exports: {}, module: {} })
  return { bridge: exposed['agent'] as AgentBridge, listeners, exposed: Object.keys(exposed) }
}

describe('every command', () => {
  it('has exactly one handler, and nothing else is listened to', () => {
    expect([...electron.handlers.keys()].sort()).toEqual(commandNames.map(commandChannel).sort())
  })

  it.each(commandNames)('%s reaches the core with what our window sent, and answers it', async (name) => {
    const answer = await invoke(name, good[name])
    expect(shell.core.calls).toEqual([[name, good[name]]])
    expect(answer).toEqual(name === 'state.read' ? shell.core.state() : usualAnswer(name))
  })

  it.each(commandNames)('%s refuses what does not fit before anything happens', async (name) => {
    for (const input of malformed)
      await expect(invoke(name, input), JSON.stringify(input)).rejects.toThrow('does not fit')
    expect(shell.core.calls).toEqual([])
  })

  it.each(commandNames)('%s refuses every sender but our window in its main frame', async (name) => {
    const { capturePage } = shell.core.options!.ports
    await capturePage.current()
    const contents = shell.window.webContents
    const capture = electron.windows[1]!.webContents
    const other = new FakeContents()
    other.mainFrame.url = 'app://window/index.html'
    const foreign = [
      { sender: capture, senderFrame: capture.mainFrame },
      { sender: other, senderFrame: other.mainFrame },
      { sender: contents, senderFrame: { url: 'app://window/index.html' } },
      { sender: contents, senderFrame: null },
    ]
    for (const event of foreign) await expect(invoke(name, good[name], event)).rejects.toThrow('refused')
    for (const url of [
      'https://example.org/',
      'app://capture/index.html',
      'app://window.example.org/',
      'about:blank',
    ]) {
      contents.mainFrame.url = url
      await expect(invoke(name, good[name]), url).rejects.toThrow('refused')
    }
    expect(shell.core.calls).toEqual([])
  })

  it.each(commandNames)(
    '%s that fails in the core, or answers nonsense, tells the window no inner detail',
    async (name) => {
      const failing = [
        async () => {
          throw new Error('secret path')
        },
        async () => ({ done: 'perhaps', secret: 'path' }),
      ]
      for (const answer of failing) {
        shell.core.answers.set(name, answer)
        const told = await invoke(name, good[name]).catch((error: Error) => error.message)
        expect(told).toEqual(
          asksForSomething.includes(name) ? `${name} failed` : { done: false, problem: { code: 'unexpected' } },
        )
      }
      expect(shell.troubles).toHaveLength(2)
      expect(shell.troubles[0]).toContain('secret path')
    },
  )
})

describe('the built preload of the window', () => {
  it('exposes one object with two functions, and neither ipcRenderer nor Node', async () => {
    const { bridge, exposed } = await runWindowPreload()
    expect(exposed).toEqual(['agent'])
    expect(Object.keys(bridge).sort()).toEqual(['call', 'on'])
  })

  it('reaches the handler of each command of the map', async () => {
    const { bridge } = await runWindowPreload()
    for (const name of commandNames) {
      const answer = await bridge.call(name, good[name] as never)
      expect(answer, name).toEqual(name === 'state.read' ? shell.core.state() : usualAnswer(name))
    }
    expect(shell.core.calls.map(([name]) => name)).toEqual(commandNames)
  })

  it('knows no other channel', async () => {
    const { bridge, listeners } = await runWindowPreload()
    for (const name of ['agent:app.quit', 'electron', '', 'toString', '__proto__', 'constructor']) {
      await expect(bridge.call(name as CommandName, {} as never)).rejects.toThrow('no such channel')
      expect(() => bridge.on(name as 'state', () => {})).toThrow('no such channel')
    }
    expect(listeners.size).toBe(0)
  })

  it('hands on what is pushed, without the event, until it is no longer wanted', async () => {
    const { bridge, listeners } = await runWindowPreload()
    for (const name of pushNames) {
      const heard: unknown[][] = []
      const off = bridge.on(name, (...args) => heard.push(args))
      for (const listener of listeners.get(pushChannel(name)) ?? []) listener({ sender: 'main' }, 'value')
      off()
      expect(listeners.get(pushChannel(name))?.size).toBe(0)
      expect(heard).toEqual([['value']])
    }
  })

  it('is small, and takes no schema with it', async () => {
    const text = await readFile(join(preloads, 'window-preload.cjs'), 'utf8')
    expect(text.length).toBeLessThan(8_000)
  })
})

describe('the built preload of the capture page', () => {
  it('hands its port on to its own page, and only on its own channel', async () => {
    const posted: unknown[][] = []
    const listeners = new Map<string, (event: unknown) => void>()
    const window = { location: { origin: 'app://capture' }, postMessage: (...args: unknown[]) => posted.push(args) }
    const fake = {
      ipcRenderer: { on: (channel: string, listener: (event: unknown) => void) => listeners.set(channel, listener) },
    }
    const require = (): unknown => fake
    runInNewContext(await readFile(join(preloads, 'capture-preload.cjs'), 'utf8'), { require, window, exports: {} })
    await shell.core.options!.ports.capturePage.current()
    const [channel] = electron.windows[1]!.webContents.posted[0]!
    expect([...listeners.keys()]).toEqual([channel])
    listeners.get(channel)?.({ ports: ['port'] })
    expect(posted).toEqual([[channel, 'app://capture', ['port']]])
  })
})

describe('what is pushed to the window', () => {
  const pushed = (name: 'state' | 'preview'): unknown[] =>
    shell.window.webContents.sent.filter(([channel]) => channel === pushChannel(name)).map(([, value]) => value)
  const sound = (levelDb: number) => ({ lane: 'microphone', levelDb }) as const

  it('is the first at once and then the latest, at most four times a second', async () => {
    vi.useFakeTimers()
    try {
      const sent: unknown[] = []
      const pusher = new Pusher(
        (_channel, value) => sent.push((value as { levelDb: number }).levelDb),
        () => {},
      )
      for (let n = 1; n <= 40; n += 1) {
        pusher.push('preview', sound(-n))
        await vi.advanceTimersByTimeAsync(25)
      }
      await vi.advanceTimersByTimeAsync(1000)
      expect(sent).toEqual([-1, -10, -20, -30, -40])
      pusher.push('preview', sound(-41))
      pusher.push('preview', sound(-42))
      pusher.stop()
      await vi.advanceTimersByTimeAsync(1000)
      expect(sent.at(-1)).toBe(-41)
    } finally {
      vi.useRealTimers()
    }
  })

  it('holds the previews of two lanes apart', async () => {
    shell.core.preview(sound(-20))
    shell.core.preview({ lane: 'system_audio', levelDb: -30 })
    shell.core.preview(sound(-21))
    shell.core.preview(sound(-22))
    await until('the latest came', () => pushed('preview').length === 3)
    expect(pushed('preview')).toEqual([sound(-20), { lane: 'system_audio', levelDb: -30 }, sound(-22)])
  })

  it('is never what does not fit the map', () => {
    shell.core.preview({ lane: 'keyboard', levelDb: 1 } as never)
    expect(pushed('preview')).toEqual([])
    expect(shell.troubles).toEqual([expect.stringContaining('does not fit')])
  })

  it('goes on while the window is hidden, so that it is right when it is shown', async () => {
    shell.core.question = { unsent: { items: 0, events: 0, bytes: 0 }, recording: true }
    shell.window.close()
    shell.core.set(recordingState())
    await until('it came', () => pushed('state').some((state) => (state as { screen: string }).screen === 'recording'))
  })
})
