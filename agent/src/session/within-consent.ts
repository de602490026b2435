import type { SessionConfig } from '@integrity/protocol'

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
