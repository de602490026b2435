import { sessionConfig } from '@integrity/protocol'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { until } from '../test-support/until.ts'
import { app, electron, emitPreventable, powerMonitor } from './fake-electron.ts'
import { type RunningShell, runShell } from './running-shell.ts'
import { recordingState, ScriptedCore } from './scripted-core.ts'

vi.mock('electron', () => import('./fake-electron.ts'))

let shell: RunningShell
afterEach(() => shell.stop())

const recording = { unsent: { items: 3, events: 12, bytes: 5 * 1024 ** 2 }, recording: true } as const
const sending = { unsent: { items: 3, events: 0, bytes: 2048 }, recording: false } as const

const record = (question: typeof recording | typeof sending = recording): void => {
  shell.core.question = question
  shell.core.set(question.recording ? recordingState() : { screen: 'finishing' })
}

describe('closing the window', () => {
  it('quits when nothing is going on', async () => {
    shell = await runShell()
    shell.window.close()
    await until('it quits', () => electron.quitted)
    expect(shell.core.closes).toBe(1)
    expect(electron.questions).toEqual([])
    expect(shell.tray.destroyed).toBe(true)
  })

  it('hides to the tray while recording, and says so once', async () => {
    shell = await runShell()
    record()
    shell.window.close()
    expect(shell.window).toMatchObject({ visible: false, destroyed: false })
    expect(electron.notifications).toEqual([expect.objectContaining({ title: 'Recording goes on' })])
    shell.tray.emit('click')
    expect(shell.window.visible).toBe(true)
    shell.window.close()
    expect(electron.notifications).toHaveLength(1)
    expect(electron.quitted).toBe(false)
  })

  it('hides while what is left is sent, and says that nothing is recorded', async () => {
    shell = await runShell()
    record(sending)
    shell.window.close()
    expect(shell.window.destroyed).toBe(false)
    expect(electron.notifications?.[0]?.body).toContain('Nothing is recorded any more')
  })

  it('says it in a box where the desktop has no notifications, in the language of the window', async () => {
    shell = await runShell({ prepare: () => Object.assign(electron, { notifications: undefined }) })
    shell.core.set({ locale: 'hi' })
    record()
    shell.window.close()
    expect(electron.questions).toEqual([expect.objectContaining({ message: 'रिकॉर्डिंग जारी है' })])
  })

  it('loads the page again when it crashed, and the session goes on', async () => {
    shell = await runShell()
    record()
    shell.window.webContents.emit('render-process-gone', {}, { reason: 'crashed' })
    expect(shell.window.webContents.reloads).toBe(1)
    expect(shell.core.closes).toBe(0)
  })
})

describe('a further part that is asked for', () => {
  const asking = (...lanes: ('microphone' | 'camera')[]) => {
    const config = sessionConfig.parse({})
    const document = { version: '1', locale: 'en', hash: 'a', retentionDays: 90, lanes: [] }
    const { recording: now } = recordingState()
    const asked = { document, config, lanes: lanes.map((lane) => ({ lane, sending: false })) }
    return { screen: 'recording', recording: { ...now!, asked } } as const
  }

  it('is told once while the window is hidden, and a click opens it', async () => {
    shell = await runShell()
    record()
    shell.window.hide()
    shell.core.set(asking('microphone'))
    shell.core.set(asking('microphone'))
    expect(electron.notifications).toEqual([expect.objectContaining({ title: 'A question about the recording' })])
    electron.newestNotification?.emit('click')
    expect(shell.window.visible).toBe(true)
  })

  it('is told again for another part, and not to somebody who sees the window', async () => {
    shell = await runShell()
    record()
    shell.core.set(asking('microphone'))
    shell.window.hide()
    shell.core.set(asking('microphone'))
    expect(electron.notifications).toEqual([])
    shell.core.set(asking('microphone', 'camera'))
    expect(electron.notifications).toHaveLength(1)
  })

  it('is told in a box where the desktop has no notifications, in the language of the window', async () => {
    shell = await runShell({ prepare: () => Object.assign(electron, { notifications: undefined }) })
    record()
    shell.window.hide()
    shell.core.set({ ...asking('microphone'), locale: 'hi' })
    expect(electron.questions).toEqual([expect.objectContaining({ message: 'रिकॉर्डिंग के बारे में एक सवाल' })])
  })
})

describe('quitting', () => {
  it('asks during a session, and tells what happens to what is unsent', async () => {
    shell = await runShell()
    record()
    app.quit()
    await until('it asks', () => electron.questions.length === 1)
    const [question] = electron.questions
    expect(question?.detail).toContain('The recording stops')
    expect(question?.detail).toContain('3 items and 12 events (5.0 MiB)')
    expect(question?.detail).toContain('stay on this computer, encrypted')
    expect(question).toMatchObject({ buttons: ['Keep running', 'Quit'], defaultId: 0, cancelId: 0 })
    expect(electron.quitted).toBe(false)
    expect(shell.core.closes).toBe(0)
  })

  it('can be asked again after it was kept running', async () => {
    shell = await runShell()
    record()
    app.quit()
    await until('it asks', () => electron.questions.length === 1)
    electron.answers.push(1)
    await until('it asks again', () => {
      app.quit()
      return electron.quitted
    })
    expect(electron.questions).toHaveLength(2)
    expect(shell.core.closes).toBe(1)
  })

  it('asks one question however often it is wanted', async () => {
    shell = await runShell()
    record()
    for (let n = 0; n < 5; n += 1) app.quit()
    await until('it asks', () => electron.questions.length > 0)
    expect(electron.questions).toHaveLength(1)
  })

  it('speaks of the unsent alone once nothing is recorded', async () => {
    shell = await runShell()
    record(sending)
    app.quit()
    await until('it asks', () => electron.questions.length === 1)
    expect(electron.questions[0]?.detail).toContain('3 items and 0 events (2 KiB)')
    expect(electron.questions[0]?.detail).not.toContain('The recording stops')
  })

  it('ends although the core does not close well', async () => {
    const core = new ScriptedCore()
    core.close = async () => {
      throw new Error('the disk is gone')
    }
    shell = await runShell({ core })
    app.quit()
    await until('it quits', () => electron.quitted)
    expect(shell.troubles).toEqual([expect.stringContaining('the disk is gone')])
  })

  it('does not ask when the computer shuts down, and holds the shutdown until the core is closed', async () => {
    shell = await runShell()
    record()
    const event = emitPreventable(powerMonitor, 'shutdown')
    expect(event.defaultPrevented).toBe(true)
    await until('it quits', () => electron.quitted)
    expect(electron.questions).toEqual([])
    expect(shell.core.closes).toBe(1)
  })

  it('does not ask when Windows ends the session', async () => {
    shell = await runShell()
    record()
    shell.window.emit('session-end')
    await until('it quits', () => electron.quitted)
    expect(shell.core.closes).toBe(1)
  })

  it('opens the program again after an update, only once it really ends', async () => {
    shell = await runShell()
    record(sending)
    const { window } = shell.core.options!.ports
    window.quitAndOpenAgain()
    await until('it asks', () => electron.questions.length === 1)
    expect(electron.calls).not.toContain('relaunch')
    electron.answers.push(1)
    await until('it quits', () => {
      window.quitAndOpenAgain()
      return electron.quitted
    })
    expect(electron.calls.filter((call) => call === 'relaunch')).toHaveLength(1)
    expect(electron.calls.lastIndexOf('quit')).toBeGreaterThan(electron.calls.indexOf('relaunch'))
  })

  it('opens nothing again when the candidate stayed after an update and quits later', async () => {
    shell = await runShell()
    record(sending)
    shell.core.options!.ports.window.quitAndOpenAgain()
    await until('it asks', () => electron.questions.length === 1)
    shell.core.question = 'none'
    await until('it quits', () => {
      app.quit()
      return electron.quitted
    })
    expect(electron.calls).not.toContain('relaunch')
  })

  it('is what the core asks for by its window port', async () => {
    shell = await runShell()
    const { window } = shell.core.options!.ports
    window.hide()
    expect(shell.window.visible).toBe(false)
    window.quit()
    await until('it quits', () => electron.quitted)
  })
})

describe('the tray icon', () => {
  const picture = (mode: string) => `/icons/tray-${mode}${process.platform === 'linux' ? '-large' : ''}.png`
  const labels = () => shell.tray.menu.flatMap(({ label }) => label ?? [])

  it('shows by picture and words whether something is recorded', async () => {
    shell = await runShell()
    const shown = () => [shell.tray.image, shell.tray.tooltip]
    expect(shown()).toEqual([picture('idle'), 'Interview Integrity'])
    shell.core.set(recordingState())
    expect(shown()).toEqual([picture('recording'), 'Interview Integrity: recording'])
    shell.core.set({ screen: 'paused' })
    expect(shown()).toEqual([picture('paused'), 'Interview Integrity: paused'])
    shell.core.set({ screen: 'finishing' })
    expect(shown()).toEqual([picture('sending'), 'Interview Integrity: sending what is left'])
    shell.core.set({ screen: 'done' })
    expect(shown()).toEqual([picture('idle'), 'Interview Integrity'])
  })

  it('offers a pause where policy allows one, and a resume while paused', async () => {
    shell = await runShell()
    shell.core.set(recordingState())
    expect(labels()).not.toContain('Pause')
    shell.core.set(recordingState(true))
    shell.tray.choose('Pause')
    shell.core.set({ screen: 'paused' })
    shell.tray.choose('Resume')
    expect(shell.core.calls).toEqual([
      ['recording.pause', {}],
      ['recording.resume', {}],
    ])
  })

  it('ends the session only after it has asked', async () => {
    shell = await runShell()
    shell.core.set(recordingState())
    shell.tray.choose('End the session…')
    await until('it asks', () => electron.questions.length === 1)
    expect(shell.core.calls).toEqual([])
    electron.answers.push(1)
    shell.tray.choose('End the session…')
    await until('it ends', () => shell.core.calls.length === 1)
    expect(shell.core.calls).toEqual([['recording.end', {}]])
  })

  it('offers neither pause nor end when nothing is recorded', async () => {
    shell = await runShell()
    expect(labels()).toEqual(['Interview Integrity', 'Open', 'Quit'])
  })
})

describe('the computer', () => {
  it('is kept from falling asleep while it records, and not in a pause or afterwards', async () => {
    shell = await runShell()
    expect(electron.blockers.size).toBe(0)
    shell.core.set(recordingState())
    shell.core.set({ sent: { items: 1, bytes: 1 } })
    expect(electron.blockers.size).toBe(1)
    shell.core.set({ screen: 'paused' })
    expect(electron.blockers.size).toBe(0)
    shell.core.set(recordingState())
    shell.core.set({ screen: 'done' })
    expect(electron.blockers.size).toBe(0)
  })
})
