import type { WindowState } from '../../shared/ipc/window-state.ts'

/** The agent's own updates, as the window shows them. */
export interface UpdateController {
  view(): WindowState['update']
  onChange(listener: () => void): () => void
  /** Looks for a newer version at this service. */
  check(server: string): Promise<void>
  /** False when nothing is ready. */
  install(): Promise<boolean>
  stop(): Promise<void>
}

/** For a host whose program is updated by somebody else. */
export const noUpdates: UpdateController = {
  view: () => ({ state: 'none' }),
  onChange: () => () => undefined,
  check: async () => undefined,
  install: async () => false,
  stop: async () => undefined,
}
