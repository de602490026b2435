import { readFile } from 'node:fs/promises'
import systeminformation from 'systeminformation'
import { createPollingObserver } from './polling-observer.ts'
import type { Observer } from './types.ts'

/** One raw fact that virtual machines usually show, and what it said. */
export type MachineHint = { from: string; value: string }

const DMI = '/sys/class/dmi/id'
const MAKERS =
  /vmware|virtualbox|innotek|qemu|kvm|xen|parallels|bochs|hyper-v|virtual machine|google compute|amazon ec2/i

const text = async (path: string): Promise<string> => (await readFile(path, 'utf8').catch(() => '')).trim()

/** The hints that Linux gives: the processor's hypervisor flag and the names of maker and model. */
export const linuxHints = async (root = ''): Promise<MachineHint[]> => {
  const hints: MachineHint[] = []
  const processor = await text(`${root}/proc/cpuinfo`)
  if (/^flags\s*:.*\bhypervisor\b/m.test(processor)) hints.push({ from: '/proc/cpuinfo', value: 'hypervisor' })
  const hypervisor = await text(`${root}/sys/hypervisor/type`)
  if (hypervisor) hints.push({ from: '/sys/hypervisor/type', value: hypervisor })
  for (const name of ['sys_vendor', 'product_name', 'board_vendor']) {
    const value = await text(`${root}${DMI}/${name}`)
    if (MAKERS.test(value)) hints.push({ from: `${DMI}/${name}`, value })
  }
  return hints
}

const otherHints = async (): Promise<MachineHint[]> => {
  const { manufacturer, model, virtual, virtualHost } = await systeminformation.system()
  const hints: MachineHint[] = virtual ? [{ from: 'systeminformation.system', value: virtualHost ?? 'virtual' }] : []
  for (const value of [manufacturer, model]) {
    if (MAKERS.test(value)) hints.push({ from: 'systeminformation.system', value })
  }
  return hints
}

export type VirtualMachineOptions = { intervalMs?: number; hints?: () => Promise<MachineHint[]> }

/** What the machine says of itself that virtual machines say. Hints, each with its source; nothing is concluded. */
export const createVirtualMachineObserver = (options: VirtualMachineOptions = {}): Observer => {
  const linux = process.platform === 'linux'
  const { intervalMs = 600_000, hints = linux ? linuxHints : otherHints } = options
  return createPollingObserver<MachineHint[]>({
    name: 'virtual_machine',
    version: 1,
    method: linux ? '/proc/cpuinfo, /sys/class/dmi/id' : 'systeminformation.system',
    intervalMs,
    probe: async () => ({ status: 'observable' }),
    read: () => hints(),
    initial: (found) => found.map((value) => ({ kind: 'vm.hint', value })),
    changes: (before, now) => {
      const known = new Set(before.map((hint) => JSON.stringify(hint)))
      return now
        .filter((hint) => !known.has(JSON.stringify(hint)))
        .map((value) => ({ kind: 'vm.hint' as const, value }))
    },
  })
}
