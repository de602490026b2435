import { describe, expect, it } from 'vitest'
import type { WindowState } from '../../../shared/ipc/window-state.ts'
import { announcementsOf } from './announcements.ts'

type Lane = NonNullable<WindowState['recording']>['lanes'][number]
const lane = (state: Lane['state'], captured = 0): Lane =>
  ({ lane: 'camera', title: 'Your camera', state, captured, displays: [], withdrawable: true }) satisfies Lane
const state = (lanes: Lane[], more: Partial<WindowState> = {}) =>
  ({
    screen: 'recording',
    recording: { startedAt: 0, pauseAllowed: true, requiredApps: [], lanes },
    network: { state: 'online', live: true },
    ...more,
  }) as WindowState
const said = (before: WindowState, now: WindowState) => announcementsOf(before, now)
const offline = { network: { state: 'offline', live: false } } as const

describe('what is read out', () => {
  it('is that a lane was lost and that it is back', () => {
    expect(said(state([lane('up')]), state([lane('down')]))).toEqual([
      { key: 'said.lost', lane: 'camera', state: 'down' },
    ])
    expect(said(state([lane('down')]), state([lane('up')]))).toEqual([{ key: 'said.up', lane: 'camera' }])
  })

  it('is nothing of counts, of starting, and of what stayed as it was', () => {
    expect(said(state([lane('up', 1)]), state([lane('up', 2)]))).toEqual([])
    expect(said(state([]), state([lane('starting')]))).toEqual([])
    expect(said(state([lane('starting')]), state([lane('up')]))).toEqual([])
    expect(said(state([lane('down')]), state([lane('starting')]))).toEqual([])
  })

  it('is once that all of it is paused and goes on', () => {
    const paused = state([lane('paused')], { screen: 'paused' })
    expect(said(state([lane('up')]), paused)).toEqual([{ key: 'pausedState' }])
    expect(said(paused, state([lane('up')]))).toEqual([{ key: 'recordingState' }])
    expect(said(state([lane('paused')]), state([lane('up')]))).toEqual([])
  })

  it('is where the video call is held, when that is told or changes', () => {
    const inCall = (callIn?: string) => state([lane('up')], { session: { id: 'ses_1', ...(callIn && { callIn }) } })
    expect(said(inCall(), inCall('Zoom'))).toEqual([{ key: 'callIn', app: 'Zoom' }])
    expect(said(inCall('Zoom'), inCall('Webex'))).toEqual([{ key: 'callIn', app: 'Webex' }])
    expect(said(inCall('Zoom'), inCall('Zoom'))).toEqual([])
    expect(said(inCall('Zoom'), inCall())).toEqual([])
  })

  it('is the connection and the phone', () => {
    expect(said(state([]), state([], offline))).toEqual([{ key: 'said.offline' }])
    expect(said(state([], offline), state([]))).toEqual([{ key: 'said.online' }])
    expect(said(state([], { phone: { state: 'code' } }), state([], { phone: { state: 'paired' } }))).toEqual([
      { key: 'said.paired' },
    ])
  })

  it('is once that a further part is asked for', () => {
    const asking = (...lanes: Lane['lane'][]) => {
      const now = state([])
      const asked = { lanes: lanes.map((name) => ({ lane: name, sending: false })) }
      return { ...now, recording: { ...now.recording, asked } } as WindowState
    }
    expect(said(state([]), asking('microphone'))).toEqual([{ key: 'said.asked', lane: 'microphone' }])
    expect(said(asking('microphone'), asking('microphone', 'camera'))).toEqual([{ key: 'said.asked', lane: 'camera' }])
    expect(said(asking('microphone'), state([]))).toEqual([])
  })

  it('is nothing before it records and after', () => {
    const before = { ...state([]), recording: undefined }
    expect(said(before, state([lane('down')]))).toEqual([])
    expect(said(state([lane('up')]), { ...before, screen: 'finishing' })).toEqual([])
  })
})
