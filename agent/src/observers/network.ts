import { type NetworkInterfaceInfo, networkInterfaces } from 'node:os'
import { createPollingObserver } from './polling-observer.ts'
import type { Observer } from './types.ts'

export type NetworkState = { interface: string; families: string[] }[]
type Interfaces = Record<string, Pick<NetworkInterfaceInfo, 'family' | 'internal' | 'address'>[] | undefined>

export type NetworkOptions = { intervalMs?: number; interfaces?: () => Interfaces }

/** Interfaces that come or go or gain an address family. Addresses stay on the device: only names and families are told. */
export const createNetworkObserver = ({
  intervalMs = 5000,
  interfaces = networkInterfaces,
}: NetworkOptions = {}): Observer => {
  const read = async (): Promise<NetworkState> =>
    Object.entries(interfaces())
      .map(([name, addresses = []]) => ({
        interface: name,
        families: [...new Set(addresses.filter(({ internal }) => !internal).map(({ family }) => family))].toSorted(),
      }))
      .filter(({ families }) => families.length > 0)
      .toSorted((a, b) => a.interface.localeCompare(b.interface, 'en'))
  return createPollingObserver<NetworkState>({
    name: 'network',
    version: 1,
    method: 'os.networkInterfaces',
    intervalMs,
    probe: async () => ({ status: 'observable' }),
    read,
    initial: (value) => [{ kind: 'network.changed', value }],
    changes: (before, value, baseline) =>
      JSON.stringify(before) === JSON.stringify(value) ? [] : [{ kind: 'network.changed', value, baseline }],
  })
}
