import { type NetworkInterfaceInfo, networkInterfaces } from 'node:os'
import { wayOf } from '../../core/observers/observer-table.ts'
import { createSampledObserver, polled } from '../../core/observers/sampled-observer.ts'
import { type Observer, thisPlatform } from '../../core/observers/types.ts'
import type { ObserverOptions } from './observer-options.ts'

export type NetworkState = { interface: string; families: string[] }[]
type Interfaces = Record<string, Pick<NetworkInterfaceInfo, 'family' | 'internal' | 'address'>[] | undefined>

export type NetworkOptions = ObserverOptions & { interfaces?: () => Interfaces }

/** Interfaces that come or go or gain an address family. Addresses stay on the device: only names and families are told. */
export const createNetworkObserver = (options: NetworkOptions = {}): Observer => {
  const { clock, platform = thisPlatform(), interfaces = networkInterfaces } = options
  const way = wayOf('network', platform)
  const read = async (): Promise<NetworkState> =>
    Object.entries(interfaces())
      .map(([name, addresses = []]) => ({
        interface: name,
        families: [...new Set(addresses.filter(({ internal }) => !internal).map(({ family }) => family))].toSorted(),
      }))
      .filter(({ families }) => families.length > 0)
      .toSorted((a, b) => a.interface.localeCompare(b.interface, 'en'))
  return createSampledObserver<NetworkState>({
    name: 'network',
    version: 2,
    way,
    intervalMs: options.intervalMs,
    clock,
    probe: async () => ({ status: 'observable' }),
    source: polled(read, options.intervalMs ?? way.intervalMs, clock),
    initial: (value) => [{ kind: 'network.changed', value }],
    changes: (before, value) =>
      JSON.stringify(before) === JSON.stringify(value) ? [] : [{ kind: 'network.changed', value }],
  })
}
