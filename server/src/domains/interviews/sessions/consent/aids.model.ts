import { type AidName, aidObservers, type KeptAid, type SessionConfig, type WantedAid } from '@integrity/protocol'

/** Agreed to without asking. */
const isOffered = ({ aids }: SessionConfig, { aid, breaks }: WantedAid): boolean =>
  aids.offered.includes(aid) &&
  (!breaks || (breaks.count <= aids.breaks.count && breaks.minutes <= aids.breaks.minutes))

/** What is declared, after what was declared before; an aid that is declared again takes the new words and is looked at anew. */
export const declaredWith = (config: SessionConfig, wanted: readonly WantedAid[]): KeptAid[] => [
  ...config.aids.declared.filter(({ aid }) => !wanted.some((one) => one.aid === aid)),
  ...wanted.map((one) => ({
    aid: one.aid,
    state: isOffered(config, one) ? ('agreed' as const) : ('declared' as const),
    detail: one.detail ?? null,
    breaks: one.breaks ?? null,
  })),
]

/** What is still to be answered, answered. */
export const answeredWith = (declared: readonly KeptAid[], state: 'agreed' | 'refused'): KeptAid[] =>
  declared.map((one) => (one.state === 'declared' ? { ...one, state } : one))

/** The aids without what the candidate wrote. */
export const withoutWords = ({ aids, ...config }: SessionConfig): SessionConfig => ({
  ...config,
  aids: { ...aids, declared: aids.declared.map((one) => ({ ...one, detail: null })) },
})

const atMost = (value: number, most: number): number => Math.min(value, most)
const atLeast = (value: number, least: number): number => Math.max(value, least)

/** What an agreed aid changes in what is collected, where it collects anything less. */
const effects: Partial<Record<AidName, (config: SessionConfig) => Partial<SessionConfig>>> = {
  no_camera: ({ camera }) => ({ camera: { ...camera, enabled: false } }),
  sound_only: ({ capture, camera, sideView }) => ({
    capture: { ...capture, enabled: false },
    camera: { ...camera, enabled: false },
    sideView: { ...sideView, enabled: false },
  }),
  reduced_data: ({ capture, camera, sideView }) => ({
    capture: {
      ...capture,
      recording: false,
      quality: atMost(capture.quality, 50),
      screenshotIntervalSeconds: atLeast(capture.screenshotIntervalSeconds, 20),
    },
    camera: { ...camera, clips: false, stillIntervalSeconds: atLeast(camera.stillIntervalSeconds, 60) },
    sideView: { ...sideView, recording: false },
  }),
}

/** The config with these aids, and without what the agreed ones make meaningless. */
export const withAids = (config: SessionConfig, declared: KeptAid[]): SessionConfig => {
  const agreed = declared.filter(({ state }) => state === 'agreed').map(({ aid }) => aid)
  const off = agreed.flatMap((aid): string[] => [...aidObservers[aid]])
  let changed: SessionConfig = {
    ...config,
    aids: { ...config.aids, declared },
    observersOff: [...new Set([...config.observersOff, ...off])],
  }
  for (const aid of agreed) changed = { ...changed, ...effects[aid]?.(changed) }
  return changed
}
