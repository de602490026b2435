import type { ShellDisplay, ShellEvent, ShellMediaDevice, ShellSignals } from '../shell-signals.ts'

export type FakeShell = ShellSignals & {
  /** Fires an event to whoever listens. */
  fire(event: ShellEvent): void
  /** How many listeners there are. */
  listening(): number
  now: { displays: ShellDisplay[]; idleSeconds: number; devices: ShellMediaDevice[] }
}

/** A desktop shell that tells what a test wants. */
export const fakeShell = (): FakeShell => {
  const listeners: { event: ShellEvent; listener: () => void }[] = []
  const shell: FakeShell = {
    now: {
      displays: [{ id: '1', name: 'Built-in', x: 0, y: 0, width: 1440, height: 900, primary: true, scaleFactor: 2 }],
      idleSeconds: 0,
      devices: [{ kind: 'videoinput', label: 'FaceTime HD Camera', id: 'a1' }],
    },
    on: (event, listener) => {
      const one = { event, listener }
      listeners.push(one)
      return () => void listeners.splice(listeners.indexOf(one), 1)
    },
    systemIdleSeconds: () => shell.now.idleSeconds,
    displays: () => shell.now.displays,
    mediaDevices: async () => shell.now.devices,
    fire: (event) => {
      for (const one of [...listeners]) if (one.event === event) one.listener()
    },
    listening: () => listeners.length,
  }
  return shell
}
