import { agentLanes, type LaneName, type PermissionState } from '@integrity/protocol'
import type { PermissionsPort } from './desktop-agent.types.ts'

/** What the operating system permits, compared from look to look. */
export class PermissionWatch {
  readonly #permissions: PermissionsPort
  readonly #last = new Map<LaneName, PermissionState>()

  constructor(permissions: PermissionsPort) {
    this.#permissions = permissions
  }

  all(): Readonly<Partial<Record<LaneName, PermissionState>>> {
    return Object.fromEntries(agentLanes.map((lane) => [lane, this.#permissions.status(lane)]))
  }

  /** Tells each lane whose permission is another than at the last look. */
  look(onChange: (lane: LaneName, state: PermissionState) => void): void {
    for (const lane of agentLanes) {
      const state = this.#permissions.status(lane)
      const before = this.#last.get(lane)
      this.#last.set(lane, state)
      if (before !== undefined && before !== state) onChange(lane, state)
    }
  }
}
