import type { BodyInputOf, EndpointMap } from '@integrity/protocol'
import type { DeskText } from '../../words/desk.ts'

export type Scenario = BodyInputOf<EndpointMap['portal.sandbox.simulate']>['scenario']

interface ScenarioTexts {
  readonly name: DeskText
  /** What is to be seen of it, here and at one's own receiver. */
  readonly shows: DeskText
}

/** What the sandbox can play, and what each should show. */
export const scenarioTexts: Readonly<Record<Scenario, ScenarioTexts>> = {
  complete_interview: {
    name: 'developersScenario.complete_interview',
    shows: 'developersShows.complete_interview',
  },
  phone_interrupted: { name: 'developersScenario.phone_interrupted', shows: 'developersShows.phone_interrupted' },
  agent_offline_and_back: {
    name: 'developersScenario.agent_offline_and_back',
    shows: 'developersShows.agent_offline_and_back',
  },
  lane_declined: { name: 'developersScenario.lane_declined', shows: 'developersShows.lane_declined' },
  late_evidence: { name: 'developersScenario.late_evidence', shows: 'developersShows.late_evidence' },
  webhooks_duplicated_and_reordered: {
    name: 'developersScenario.webhooks_duplicated_and_reordered',
    shows: 'developersShows.webhooks_duplicated_and_reordered',
  },
  receiver_faults: { name: 'developersScenario.receiver_faults', shows: 'developersShows.receiver_faults' },
  nothing_goes_wrong: { name: 'developersScenario.nothing_goes_wrong', shows: 'developersShows.nothing_goes_wrong' },
  everything_goes_wrong: {
    name: 'developersScenario.everything_goes_wrong',
    shows: 'developersShows.everything_goes_wrong',
  },
}

const isScenario = (name: string): name is Scenario => Object.hasOwn(scenarioTexts, name)

export const scenarios = Object.keys(scenarioTexts).filter(isScenario)

export const scenarioOf = (name: string): Scenario => (isScenario(name) ? name : 'complete_interview')
