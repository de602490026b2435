import { describe, expect, it } from 'vitest'
import { matchProcessName, normalisedProcessName, programCatalogue } from './catalogue.ts'

describe('the program catalogue', () => {
  it('matches a program under each of its process names, whatever the case and ending', () => {
    expect(matchProcessName('AnyDesk.exe')?.program).toBe('AnyDesk')
    expect(matchProcessName('teamviewerd')?.program).toBe('TeamViewer')
    expect(matchProcessName('zoom.us')?.program).toBe('Zoom')
  })

  it('matches whole names only', () => {
    expect(matchProcessName('zoomies')).toBeUndefined()
    expect(matchProcessName('my-anydesk-notes')).toBeUndefined()
    expect(matchProcessName('bash')).toBeUndefined()
  })

  it('holds at least forty programs that control or share a screen, each spelt as processes are compared', () => {
    const sharing = programCatalogue.filter(({ kind }) => kind === 'remote_control' || kind === 'meeting')
    expect(sharing.length).toBeGreaterThanOrEqual(40)
    for (const { processes } of programCatalogue) {
      expect(processes.length).toBeGreaterThan(0)
      expect(processes.map(normalisedProcessName)).toEqual(processes)
    }
  })

  it('gives no process name to two programs', () => {
    const names = programCatalogue.flatMap(({ processes }) => processes)
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
  })
})

describe('the names in the program catalogue', () => {
  it.each([
    ['Windows', 'SRServer.exe', 'Splashtop'],
    ['Windows', 'ScreenConnect.ClientService', 'ConnectWise ScreenConnect'],
    ['Windows', 'rdpclip', 'Windows Remote Desktop'],
    ['macOS', 'Jump Desktop Connect', 'Jump Desktop'],
    ['macOS', 'remoting_me2me_host', 'Chrome Remote Desktop'],
    ['macOS', 'Microsoft Teams', 'Microsoft Teams'],
    ['Linux', 'gnome-remote-de', 'GNOME Remote Desktop'],
    ['Linux', 'chrome-remote-desktop-host', 'Chrome Remote Desktop'],
    ['Linux', 'Xtigervnc', 'TigerVNC'],
  ])('know on %s the process %s', (_, name, program) => {
    expect(matchProcessName(name)?.program).toBe(program)
  })
})
