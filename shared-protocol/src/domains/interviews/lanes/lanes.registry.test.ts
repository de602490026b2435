import { describe, expect, it } from 'vitest'
import {
  agentLanes,
  gapReason,
  gapReasons,
  isAgentLane,
  isRecordedLane,
  laneHealth,
  laneName,
  laneNames,
  lanes,
  recordedLanes,
  timedLanes,
} from './lanes.registry.ts'

describe('lanes', () => {
  it('are asked for by one device each', () => {
    expect(laneNames.filter((lane) => lanes[lane].from === 'phone')).toEqual(['side_view'])
    expect(laneNames.filter((lane) => lanes[lane].from === 'room')).toEqual(['room_camera'])
    expect([...agentLanes]).toEqual(['screen', 'microphone', 'system_audio', 'transcript', 'camera', 'signals'])
    expect(laneNames.filter(isAgentLane)).toEqual([...agentLanes])
  })

  it('that record something of the computer are the agent’s, and their time is counted', () => {
    expect([...recordedLanes]).toEqual(['screen', 'microphone', 'system_audio', 'camera'])
    for (const lane of recordedLanes) {
      expect(isAgentLane(lane), lane).toBe(true)
      expect(lanes[lane].timed, lane).toBe(true)
    }
    expect(isRecordedLane('signals')).toBe(false)
    expect(isRecordedLane('side_view')).toBe(false)
  })

  it('whose time is counted are those that record, and the transcript of their sound', () => {
    expect(timedLanes.filter((lane) => !isRecordedLane(lane))).toEqual(['transcript'])
  })

  it('are told from what is none', () => {
    for (const lane of laneNames) expect(laneName.safeParse(lane).success).toBe(true)
    for (const lane of ['', 'Screen', 'keyboard', 'constructor']) expect(laneName.safeParse(lane).success).toBe(false)
  })

  it('have a health that only samples give', () => {
    for (const state of ['up', 'degraded', 'down']) expect(laneHealth.safeParse(state).success).toBe(true)
    for (const state of ['unknown', 'paused', 'declined']) expect(laneHealth.safeParse(state).success).toBe(false)
  })
})

describe('reasons of a gap', () => {
  it('are closed, and each has its sentence', () => {
    for (const [reason, sentence] of Object.entries(gapReasons)) {
      expect(gapReason.safeParse(reason).success).toBe(true)
      expect(sentence, reason).toMatch(/^[A-Z].*\.$/)
    }
    expect(gapReason.safeParse('bored').success).toBe(false)
  })
})
