import type { LaneName, Scenario } from '@integrity/protocol'
import {
  begin,
  captures,
  chunkedUpload,
  end,
  firstNo,
  inOrder,
  keeps,
  phone,
  type Step,
  sight,
  talk,
  usual,
} from './sandbox.steps.model.ts'
import { everythingGoesWrong } from './sandbox.trouble.model.ts'

const complete = (): Step[] => inOrder(begin(), usual, captures(30, 570), talk(15, 555), [chunkedUpload(310), end(600)])

const short = (declines: readonly LaneName[] = []): Step[] =>
  inOrder(begin(declines), usual, captures(30, 270), talk(15, 255), [chunkedUpload(215), end(300)])

const phoneInterrupted = (): Step[] =>
  inOrder(short(), [
    phone(20, 'companion.paired', 'A phone claims its join code.'),
    phone(40, 'companion.placement_confirmed', 'The phone is placed.'),
    phone(50, 'companion.recording_started', 'The phone records.'),
    phone(130, 'companion.interrupted', 'The phone is interrupted, as by a call.'),
    phone(190, 'companion.resumed', 'The phone is back.'),
    phone(285, 'companion.recording_stopped', 'The phone stops recording.'),
  ])

const agentOffline = (): Step[] =>
  inOrder(begin(), captures(30, 150), keeps(180, 210), captures(300, 390), talk(15, 135), [
    {
      at: 160,
      what: 'The connection breaks: the lanes go down.',
      act: { do: 'lanes', health: 'down', reason: 'offline' },
    },
    {
      at: 270,
      what: 'The agent is back: it reports the time for which it has nothing, and the lanes are up.',
      act: { do: 'reconnect' },
    },
    { at: 280, what: 'What was kept while offline arrives.', act: { do: 'deliver' } },
    end(420),
  ])

const lateEvidence = (): Step[] =>
  inOrder(begin(), captures(30, 210), keeps(240, 270), talk(15, 195), [
    end(300),
    { at: 360, what: 'What was captured before the end arrives, with its coverage.', act: { do: 'deliver' } },
  ])

const reordered = (): Step[] =>
  inOrder(complete(), [{ at: 690, what: 'The last of the late deliveries are due.', act: { do: 'rest' } }])

const nothingGoesWrong = (): Step[] =>
  inOrder(begin(), captures(30, 1770), talk(15, 1780), [
    sight(
      65,
      { kind: 'foreground.changed', source: 'foreground', value: { application: 'Editor' } },
      'The program that the work is done in comes to the front.',
    ),
    chunkedUpload(910),
    end(1800),
  ])

/** Scenarios with a phone, for which the session's side view is switched on. */
export const withPhone: readonly Scenario[] = ['phone_interrupted', 'everything_goes_wrong']

/** Lanes that the candidate says no to in the scenario that is about that. */
export const declinedLanes = ['camera', 'microphone'] as const satisfies readonly LaneName[]

/** The steps of each scenario, by their time. What a step finds switched off or declined, it leaves out. */
export const stepsOf: Readonly<Record<Scenario, () => Step[]>> = {
  complete_interview: complete,
  phone_interrupted: phoneInterrupted,
  agent_offline_and_back: agentOffline,
  lane_declined: () => [firstNo, ...short(declinedLanes)],
  late_evidence: lateEvidence,
  webhooks_duplicated_and_reordered: reordered,
  receiver_faults: () =>
    inOrder(short(), [{ at: 390, what: 'The last of the late deliveries are due.', act: { do: 'rest' } }]),
  nothing_goes_wrong: nothingGoesWrong,
  everything_goes_wrong: everythingGoesWrong,
}
