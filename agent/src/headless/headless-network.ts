import { join } from 'node:path'
import type { Fetch } from '@integrity/client/exchange'
import { liveOver } from '../core/session/open-live.ts'
import type { OpenLive } from '../core/session/ports.ts'
import type { Clock } from '../shared/clock.ts'
import type { MinisignPublicKey } from '../trust/minisign/minisign.ts'
import { builtInKeys } from '../trust/minisign/signed-document.ts'

export interface HeadlessNetworkOptions {
  readonly server: string
  /** For this program alone. */
  readonly dataDir: string
  readonly version: string
  readonly clock: Clock
  /** Those built in unless told. */
  readonly keys?: readonly MinisignPublicKey[] | undefined
  /** Certification authorities (PEM); the system's unless told. */
  readonly ca?: string | undefined
  readonly onTrouble: (trouble: string) => void
}

/** The way to the service. */
export interface HeadlessNetwork {
  readonly fetch: Fetch | undefined
  readonly openLive: OpenLive
  /** The oldest version that the service works with, while this one is older; asks the service. */
  minimumVersion(): Promise<string | undefined>
  close(): Promise<void>
}

/**
 * As the desktop application reaches the service: held to the pins of the signed security policy where the build has
 * release keys. Without any nothing signed is believed, so nothing is asked for and no host is pinned.
 */
export const openNetwork = async (options: HeadlessNetworkOptions): Promise<HeadlessNetwork> => {
  const { server, dataDir, version, clock, keys = builtInKeys(), ca, onTrouble } = options
  if (keys.length === 0) {
    const openLive = liveOver(server, clock)
    return { fetch: undefined, openLive, minimumVersion: async () => undefined, close: async () => undefined }
  }
  const { createDesktopUpdates } = await import('../trust/updates/desktop-updates.ts')
  const updates = createDesktopUpdates({
    dir: join(dataDir, 'updates'),
    version,
    clock,
    keys,
    ...(ca === undefined ? {} : { ca }),
    // Whoever runs this program updates it.
    installer: null,
    onInstalled: () => undefined,
    onMismatch: ({ message }) => onTrouble(message),
    onTrouble,
  })
  return {
    fetch: updates.fetchFor(server),
    openLive: updates.openLiveFor(server),
    minimumVersion: async () => {
      await updates.controller.check(server)
      return updates.controller.view().minimum
    },
    close: () => updates.controller.stop(),
  }
}
