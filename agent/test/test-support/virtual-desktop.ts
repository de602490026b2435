import { type ChildProcess, spawn } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Environment, findProgram, runCommand, stopChild } from '../../src/shared/child-process.ts'
import { oneAtATime } from './start-lock.ts'
import { until } from './until.ts'

export const desktopPrograms = ['Xvfb', 'openbox', 'xrandr', 'xprop', 'xsetroot', 'ffmpeg', 'ffplay']
export const soundPrograms = ['pulseaudio', 'pactl', 'paplay', 'sox', 'flite', 'ffmpeg']

export interface VirtualDesktopOptions {
  width?: number
  height?: number
  /** false leaves out the sound server. */
  sound?: boolean
  /** false leaves out the window manager. */
  windowManager?: boolean
}

/** A display with a window manager, and a sound server, that belong to nobody else. Linux only. */
export interface VirtualDesktop {
  /** X display, `:7`; undefined without a screen. */
  display: string
  /** The environment that programs on this desktop need: DISPLAY, PULSE_SERVER, XDG_RUNTIME_DIR, HOME. */
  env: Environment
  /** Scratch folder, removed by `stop`. */
  folder: string
  /** Fills the desktop with one colour, `#rrggbb`. */
  fill(colour: string): Promise<void>
  /** Shows a moving test picture in a window; stop it with `stopChild`. */
  showMovingPicture(): Promise<ChildProcess>
  /** Opens a small window of class `xmessage` with a text. */
  openWindow(text: string): Promise<ChildProcess>
  /** Splits the screen into two monitors, LEFT and RIGHT. */
  splitIntoTwoMonitors(): Promise<void>
  /** Takes one of them away, as pulling its plug does. */
  removeMonitor(name: 'LEFT' | 'RIGHT'): Promise<void>
  /** Plays a sine tone into a sink (`micfeed` is heard by the source `mic`, `speaker` by `sysloop`). */
  playTone(sink: 'micfeed' | 'speaker', hertz: number, seconds: number): Promise<ChildProcess>
  /** Speaks a sentence into a sink and resolves when it has been said. */
  speak(sink: 'micfeed' | 'speaker', sentence: string): Promise<void>
  /** Loads a PulseAudio module and gives its number. */
  loadModule(...args: string[]): Promise<string>
  unloadModule(id: string): Promise<void>
  /** Module numbers of the two remapped sources. */
  sourceModules: { mic: string; sysloop: string }
  /** Starts a program on this desktop that `stop` ends with the rest. */
  launch(program: string, args: string[]): ChildProcess
  stop(): Promise<void>
}

/** The programs that are not installed, by name. */
export const missingPrograms = (programs: string[]): string[] => programs.filter((name) => !findProgram(name))

/**
 * Whether a suite that needs `programs` can run. Missing ones fail it when CI is set, and otherwise print a loud line.
 */
export const canRunWith = (suite: string, programs: string[]): boolean => {
  const missing = missingPrograms(programs)
  if (missing.length === 0) return true
  if (process.env['CI']) throw new Error(`${suite}: these programs are needed in CI: ${missing.join(', ')}`)
  console.warn(`\n*** SKIPPED: ${suite}. Not installed: ${missing.join(', ')} ***\n`)
  return false
}

const must = async (env: Environment, program: string, ...args: string[]): Promise<string> => {
  const { code, stdout, stderr } = await runCommand(program, args, { env, timeoutMs: 20_000 })
  if (code !== 0) throw new Error(`${program} ${args.join(' ')}: ${stderr}`)
  return stdout.toString()
}

const firstLine = (child: ChildProcess, name: string): Promise<string> =>
  new Promise((resolve, reject) => {
    let text = ''
    child.stdout?.on('data', (bytes: Buffer) => {
      text += bytes.toString()
      const end = text.indexOf('\n')
      if (end >= 0) resolve(text.slice(0, end).trim())
    })
    child.once('error', reject)
    child.once('exit', (code) => reject(new Error(`${name} ended with ${code}`)))
  })

const pulseScript = (socket: string): string =>
  [
    `load-module module-native-protocol-unix auth-anonymous=1 socket=${socket}`,
    'load-module module-null-sink sink_name=speaker rate=48000',
    'load-module module-null-sink sink_name=micfeed rate=48000',
    'set-default-sink speaker',
    '',
  ].join('\n')

export const startVirtualDesktop = (options: VirtualDesktopOptions = {}): Promise<VirtualDesktop> =>
  oneAtATime('virtual-desktop', () => start(options))

const start = async (options: VirtualDesktopOptions): Promise<VirtualDesktop> => {
  const { width = 1280, height = 720, sound = true, windowManager = true } = options
  const folder = await mkdtemp(join(tmpdir(), 'virtual-desktop-'))
  const children: ChildProcess[] = []
  const env: Environment = {
    ...process.env,
    HOME: folder,
    XDG_RUNTIME_DIR: join(folder, 'run'),
    XDG_CONFIG_HOME: join(folder, 'config'),
    XDG_CACHE_HOME: join(folder, 'cache'),
    SDL_AUDIODRIVER: 'dummy',
    WAYLAND_DISPLAY: undefined,
  }
  await mkdir(join(folder, 'run'), { mode: 0o700 })

  const launch = (program: string, args: string[], stdout: 'ignore' | 'pipe' = 'ignore'): ChildProcess => {
    const child = spawn(program, args, { env, stdio: ['ignore', stdout, 'ignore'] })
    child.once('error', () => undefined)
    children.push(child)
    return child
  }

  const stop = async (): Promise<void> => {
    // The newest first: windows before their server.
    for (const child of children.toReversed()) await stopChild(child)
    await rm(folder, { recursive: true, force: true, maxRetries: 3 })
  }

  try {
    // Xvfb picks a free display itself and says which once it listens.
    const size = `${width}x${height}x24`
    // Without -noreset it would start over, and drop whoever is connecting, each time its last client leaves.
    const args = ['-displayfd', '1', '-screen', '0', size, '-nolisten', 'tcp', '-noreset']
    const server = launch('Xvfb', args, 'pipe')
    const display = `:${await firstLine(server, 'Xvfb')}`
    env['DISPLAY'] = display
    if (windowManager) {
      launch('openbox', [])
      await until('openbox', async () => (await managerOf(env)) !== undefined)
    }
    const sourceModules = sound ? await startSound(env, folder, launch) : { mic: '', sysloop: '' }
    return {
      display,
      env,
      folder,
      sourceModules,
      launch,
      stop,
      ...screenTools(env, launch, { width, height }),
      ...soundTools(env, launch),
    }
  } catch (error) {
    await stop()
    throw error
  }
}

type Launch = (program: string, args: string[]) => ChildProcess

const managerOf = async (env: Environment): Promise<string | undefined> => {
  const { stdout } = await runCommand('xprop', ['-root', '_NET_SUPPORTING_WM_CHECK'], { env })
  return /window id # (0x[0-9a-f]+)/.exec(stdout.toString())?.[1]
}

const startSound = async (
  env: Environment,
  folder: string,
  launch: Launch,
): Promise<VirtualDesktop['sourceModules']> => {
  const socket = join(folder, 'run', 'pulse.socket')
  const script = join(folder, 'pulse.pa')
  await writeFile(script, pulseScript(socket))
  env['PULSE_SERVER'] = `unix:${socket}`
  const quiet = [
    '--daemonize=no',
    '--exit-idle-time=-1',
    '--disallow-exit=yes',
    '--use-pid-file=no',
    '--log-target=stderr',
  ]
  launch('pulseaudio', ['-n', ...quiet, '-F', script])
  await until('the sound server', async () => {
    const { code, stdout } = await runCommand('pactl', ['list', 'short', 'sinks'], { env })
    return code === 0 && stdout.toString().includes('micfeed')
  })
  const remap = async (name: string, master: string): Promise<string> =>
    (await must(env, 'pactl', 'load-module', 'module-remap-source', `source_name=${name}`, `master=${master}`)).trim()
  // Browsers and people do not take a plain monitor for a microphone; a remapped source looks like one.
  const mic = await remap('mic', 'micfeed.monitor')
  const sysloop = await remap('sysloop', 'speaker.monitor')
  await must(env, 'pactl', 'set-default-source', 'mic')
  return { mic, sysloop }
}

const screenTools = (env: Environment, launch: Launch, size: { width: number; height: number }) => {
  const showWindow = async (program: string, args: string[], windowClass: string): Promise<ChildProcess> => {
    const child = launch(program, args)
    await until(`a window of ${windowClass}`, async () => {
      const active = await runCommand('xprop', ['-root', '_NET_ACTIVE_WINDOW'], { env })
      const id = /# (0x[0-9a-f]+)/.exec(active.stdout.toString())?.[1]
      if (!id || id === '0x0') return false
      const { stdout } = await runCommand('xprop', ['-id', id, 'WM_CLASS'], { env })
      return stdout.toString().toLowerCase().includes(windowClass)
    })
    return child
  }
  const picture = ['-loglevel', 'quiet', '-noborder', '-left', '40', '-top', '40', '-an', '-f', 'lavfi']
  return {
    fill: async (colour: string): Promise<void> => {
      await must(env, 'xsetroot', '-solid', colour)
    },
    showMovingPicture: () => showWindow('ffplay', [...picture, '-i', 'testsrc2=size=640x360:rate=10'], 'ffplay'),
    openWindow: (text: string) => showWindow('xmessage', [text], 'xmessage'),
    splitIntoTwoMonitors: async (): Promise<void> => {
      const half = Math.floor(size.width / 2)
      // Those of an earlier split are in the way; none is no failure.
      for (const name of ['LEFT', 'RIGHT']) await runCommand('xrandr', ['--delmonitor', name], { env })
      const part = (x: number): string => `${half}/100x${size.height}/100+${x}+0`
      await must(env, 'xrandr', '--setmonitor', 'LEFT', part(0), 'screen')
      await must(env, 'xrandr', '--setmonitor', 'RIGHT', part(half), 'none')
    },
    removeMonitor: async (name: string): Promise<void> => {
      await must(env, 'xrandr', '--delmonitor', name)
    },
  }
}

const soundTools = (env: Environment, launch: Launch) => ({
  playTone: async (sink: 'micfeed' | 'speaker', hertz: number, seconds: number): Promise<ChildProcess> => {
    const file = join(String(env['HOME']), `tone-${hertz}-${seconds}.wav`)
    await must(
      env,
      'sox',
      '-n',
      '-r',
      '48000',
      '-c',
      '1',
      file,
      'synth',
      String(seconds),
      'sine',
      String(hertz),
      'vol',
      '0.5',
    )
    const child = launch('paplay', ['--latency-msec=40', `--device=${sink}`, file])
    await until(`a tone in ${sink}`, async () => {
      const { stdout } = await runCommand('pactl', ['--format=json', 'list', 'sink-inputs'], { env })
      return stdout.toString().includes(`"${child.pid}"`)
    })
    return child
  },
  speak: async (sink: 'micfeed' | 'speaker', sentence: string): Promise<void> => {
    const file = join(String(env['HOME']), `speech-${sink}.wav`)
    await must(env, 'flite', '-voice', 'rms', '-t', sentence, '-o', file)
    await must(env, 'paplay', '--latency-msec=40', `--device=${sink}`, file)
  },
  loadModule: async (...args: string[]): Promise<string> => (await must(env, 'pactl', 'load-module', ...args)).trim(),
  unloadModule: async (id: string): Promise<void> => {
    await must(env, 'pactl', 'unload-module', id)
  },
})

/** Makes a webcam recording (moving test picture, Motion JPEG, 30 frames a second) for machines without a camera. */
export const makeCameraFile = async (path: string, { seconds = 4, size = '640x480' } = {}): Promise<string> => {
  const input = ['-f', 'lavfi', '-i', `testsrc2=size=${size}:rate=30:duration=${seconds}`]
  await must(
    process.env,
    'ffmpeg',
    '-y',
    '-loglevel',
    'error',
    ...input,
    '-c:v',
    'mjpeg',
    '-q:v',
    '5',
    '-f',
    'avi',
    path,
  )
  return path
}
