import type { LaneName, SessionConfig } from '@integrity/protocol'
import type { CoverageWindow } from '../../core/capture/coverage.ts'
import type { HealthReport, LaneSink } from '../../core/capture/types.ts'
import type { CapturePort } from '../../core/session/ports.ts'
import type { TranscriptLane } from '../../core/transcript/transcript-lane.ts'
import type { QualityLevel } from '../../core/upload/bandwidth.ts'

/**
 * The recording lanes with the transcript that listens to them. The lanes stop first, so that the last of what they
 * heard is still written down. Their `CaptureConfig.onSound` must be the transcript's `hear`, and `soundWanted` its `listens`.
 */
export class TranscribedCapture implements CapturePort {
  readonly #capture: CapturePort
  readonly #transcript: TranscriptLane

  constructor(capture: CapturePort, transcript: TranscriptLane) {
    this.#capture = capture
    this.#transcript = transcript
  }

  async apply(lanes: readonly LaneName[], config: SessionConfig, sink: LaneSink): Promise<void> {
    await this.#capture.apply(lanes, config, sink)
    await this.#transcript.apply(lanes, sink)
  }

  async pause(): Promise<void> {
    await this.#capture.pause()
    await this.#transcript.pause()
  }

  resume(): void {
    this.#transcript.resume()
    this.#capture.resume()
  }

  async stop(): Promise<void> {
    await this.#capture.stop()
    await this.#transcript.stop()
  }

  setQuality(level: QualityLevel): Promise<void> {
    return this.#capture.setQuality(level)
  }

  takeCoverage(): readonly CoverageWindow[] {
    return [...this.#capture.takeCoverage(), ...this.#transcript.takeCoverage()]
  }

  health(): readonly HealthReport[] {
    const health = this.#transcript.health()
    return [...this.#capture.health(), ...(health ? [health] : [])]
  }
}
