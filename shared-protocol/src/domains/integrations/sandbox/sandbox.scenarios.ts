/**
 * What a sandbox session can be made to play, without an agent. Each follows the session's own policy: a lane that is
 * off stays off. Between them they publish every event of the catalogue but three: `report.finalized` and
 * `report.stale` follow from a review of the report, and `webhook.test` is asked for at a webhook endpoint.
 */
export const scenarios = {
  complete_interview:
    'Ten minutes with everything the policy asks for: consent, pictures, sound, a chunked upload, integrity events, a transcript, the end.',
  phone_interrupted:
    'The same in short, with a phone that is paired, placed, records, is interrupted, comes back and stops. Switches the side view of the session on.',
  agent_offline_and_back:
    'The connection breaks in the middle: the lanes go down, come back with a gap and its reason, and what was kept arrives late.',
  lane_declined:
    'The candidate declines everything, then reads it again and declines camera and microphone alone, which the policy must allow; nothing of them is captured and coverage says declined.',
  late_evidence: 'The session ends first; what was captured before its end arrives afterwards.',
  webhooks_duplicated_and_reordered:
    'A complete interview whose deliveries arrive twice and out of order: dedupe on the event id, order by createdAt.',
  receiver_faults:
    'A short interview whose deliveries arrive late, twice and out of order; and some once more with a cut body, a wrong signature or an old timestamp, which a receiver must refuse. The log of the endpoint names the fault; what was refused is sent again, whole.',
  nothing_goes_wrong:
    'Half an hour in which every lane delivers all the time and nothing is observed but the work itself.',
  everything_goes_wrong:
    'Half an hour with everything that can go wrong: a first no, a camera that is unplugged, a locked screen, a permission that lapses, a broken connection, a computer that sleeps, a second display, listed programs and devices, a phone that is interrupted, evidence after the end, deliveries twice and out of order. Switches the side view of the session on.',
} as const
export type Scenario = keyof typeof scenarios
export const scenarioNames = Object.keys(scenarios) as [Scenario, ...Scenario[]]
