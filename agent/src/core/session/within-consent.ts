import { type LaneName, laneEnabled, type SessionConfig } from '@integrity/protocol'

/**
 * A policy as far as the candidate's answer reaches: what it adds after the consent page was shown (films, window
 * titles, pictures more often) is left out until they are asked again. The service refuses it as well.
 */
export const withinConsent = (config: SessionConfig, agreed: SessionConfig): SessionConfig => ({
  ...config,
  windowTitles: config.windowTitles && agreed.windowTitles,
  capture: {
    ...config.capture,
    recording: config.capture.recording && agreed.capture.recording,
    screenshotIntervalSeconds: Math.max(
      config.capture.screenshotIntervalSeconds,
      agreed.capture.screenshotIntervalSeconds,
    ),
  },
  camera: {
    ...config.camera,
    stills: config.camera.stills && agreed.camera.stills,
    clips: config.camera.clips && agreed.camera.clips,
    stillIntervalSeconds: Math.max(config.camera.stillIntervalSeconds, agreed.camera.stillIntervalSeconds),
  },
})

/** What a lane collects by a policy, as text to be compared. */
const extentOf = ({ capture, camera, windowTitles }: SessionConfig, lane: LaneName): string => {
  switch (lane) {
    case 'screen':
      return `${capture.screenshotIntervalSeconds} ${capture.recording}`
    case 'camera':
      return `${camera.stills} ${camera.stillIntervalSeconds} ${camera.clips}`
    case 'signals':
      return String(windowTitles)
    default:
      return ''
  }
}

/** Does the policy collect more of this lane than was agreed to? */
const isWider = (config: SessionConfig, agreed: SessionConfig, lane: LaneName): boolean =>
  laneEnabled(config, lane) && extentOf(withinConsent(config, agreed), lane) !== extentOf(config, lane)

/** What is agreed once this lane was agreed to as `config` has it. With `adds`, what was agreed of it before stays agreed. */
const agreeTo = (agreed: SessionConfig, config: SessionConfig, lane: LaneName, adds: boolean): SessionConfig => {
  const { capture, camera, windowTitles } = adds ? agreed : config
  switch (lane) {
    case 'screen': {
      const screenshotIntervalSeconds = Math.min(
        capture.screenshotIntervalSeconds,
        config.capture.screenshotIntervalSeconds,
      )
      const recording = capture.recording || config.capture.recording
      return { ...agreed, capture: { ...capture, recording, screenshotIntervalSeconds } }
    }
    case 'camera': {
      const stillIntervalSeconds = Math.min(camera.stillIntervalSeconds, config.camera.stillIntervalSeconds)
      const stills = camera.stills || config.camera.stills
      const clips = camera.clips || config.camera.clips
      return { ...agreed, camera: { ...camera, stills, clips, stillIntervalSeconds } }
    }
    case 'signals':
      return { ...agreed, windowTitles: windowTitles || config.windowTitles }
    default:
      return agreed
  }
}

/** What is known of the candidate's answers in a running session. */
export interface Answered {
  readonly config: SessionConfig | undefined
  readonly answers: Readonly<Partial<Record<LaneName, boolean>>>
  readonly agreed: SessionConfig | undefined
  /** What was asked for in the running session and declined, as `extentOf` says it. */
  readonly declinedLater: Readonly<Partial<Record<LaneName, string>>>
}

/**
 * Of these lanes, those that the policy switched on or widened since the candidate answered. What was declined is not
 * asked for again, unless the policy asks for something else; a lane that was declined at the start or withdrawn never.
 */
export const lanesToAsk = (lanes: readonly LaneName[], state: Answered): LaneName[] => {
  const { config, answers, agreed, declinedLater } = state
  if (!config || !agreed) return []
  return lanes.filter((lane) => {
    if (!laneEnabled(config, lane) || declinedLater[lane] === extentOf(config, lane)) return false
    const answer = answers[lane]
    if (answer === undefined) return true
    return answer ? isWider(config, agreed, lane) : declinedLater[lane] !== undefined
  })
}

/**
 * The state after an answer in the running session to what `config` asks for. A lane that was withdrawn while the answer
 * was on its way stays withdrawn.
 */
export const answeredLater = (state: Answered, config: SessionConfig, given: Answered['answers']): Answered => {
  const lanes = (Object.keys(given) as LaneName[]).filter(
    (lane) => state.answers[lane] !== false || state.declinedLater[lane] !== undefined,
  )
  const yes = lanes.filter((lane) => given[lane] === true)
  const no = lanes.filter((lane) => given[lane] === false)
  const kept = Object.entries(state.declinedLater).filter(([lane]) => !lanes.includes(lane as LaneName))
  return {
    ...state,
    answers: {
      ...Object.fromEntries(no.map((lane) => [lane, false])),
      // More of a lane was declined: what was agreed of it goes on.
      ...state.answers,
      ...Object.fromEntries(yes.map((lane) => [lane, true])),
    },
    agreed: yes.reduce(
      (agreed, lane) => agreed && agreeTo(agreed, config, lane, state.answers[lane] === true),
      state.agreed,
    ),
    declinedLater: {
      ...Object.fromEntries(kept),
      ...Object.fromEntries(no.map((lane) => [lane, extentOf(config, lane)])),
    },
  }
}
