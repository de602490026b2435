import { wayOf } from '../../core/observers/observer-table.ts'
import { createSampledObserver, polled, probeByReading } from '../../core/observers/sampled-observer.ts'
import { type Observer, type ObserverPlatform, thisPlatform } from '../../core/observers/types.ts'
import { linuxHints, type MachineHint, macosHints, windowsHints } from './machine-hints.ts'
import type { ObserverOptions } from './observer-options.ts'

const readers: Record<ObserverPlatform, (root?: string) => Promise<MachineHint[]>> = {
  linux: linuxHints,
  darwin: macosHints,
  win32: windowsHints,
}

export type VirtualMachineOptions = ObserverOptions & { hints?: () => Promise<MachineHint[]> }

/** What the machine says of itself that virtual machines say. Hints, each with its source; nothing is concluded. */
export const createVirtualMachineObserver = (options: VirtualMachineOptions = {}): Observer => {
  const { clock, root, platform = thisPlatform(), hints = () => readers[platform](root) } = options
  const way = wayOf('virtual_machine', platform)
  const read = (): Promise<MachineHint[]> => hints()
  return createSampledObserver<MachineHint[]>({
    name: 'virtual_machine',
    version: 2,
    way,
    intervalMs: options.intervalMs,
    clock,
    probe: probeByReading(read, 'What the computer says of its own make cannot be read here.'),
    source: polled(read, options.intervalMs ?? way.intervalMs, clock),
    initial: (found) => found.map((value) => ({ kind: 'vm.hint', value })),
    changes: (before, now) => {
      const known = new Set(before.map((hint) => JSON.stringify(hint)))
      return now
        .filter((hint) => !known.has(JSON.stringify(hint)))
        .map((value) => ({ kind: 'vm.hint' as const, value }))
    },
  })
}
