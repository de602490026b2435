import type { Source } from '../../core/observers/sampled-observer.ts'
import type { Observability } from '../../core/observers/types.ts'
import type { DesktopHelper } from '../desktop-helper/desktop-helper.ts'
import type { HelperState, HelperTopic } from '../desktop-helper/helper-lines.ts'

export interface HelperFed<State> {
  probe: () => Promise<Observability>
  source: Source<State>
}

/** Looking through the helper at one thing; `sentence` is for the candidate where the helper cannot, or there is none. */
export const helperFed = <T extends HelperTopic, State>(
  helper: DesktopHelper | undefined,
  topic: T,
  sentence: string,
  stateOf: (told: HelperState<T>) => State,
): HelperFed<State> => ({
  probe: async () => (await helper?.probe(topic, sentence)) ?? { status: 'not_observable', why: sentence },
  source: async (see, signal) => {
    if (!helper) throw new Error('there is no helper to ask')
    await helper.source(topic)((told) => see(stateOf(told)), signal)
  },
})
