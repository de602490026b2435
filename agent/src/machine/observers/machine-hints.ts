import { readFile } from 'node:fs/promises'
import { askCommand } from './ask-command.ts'

/** One raw fact that virtual machines usually show, and what it said. */
export interface MachineHint {
  from: string
  value: string
}

const dmi = '/sys/class/dmi/id'
const makers =
  /vmware|virtualbox|innotek|qemu|kvm|xen|parallels|bochs|hyper-v|virtual machine|virtualmac|google compute|amazon ec2/i

const text = async (path: string): Promise<string> => (await readFile(path, 'utf8').catch(() => '')).trim()

/** The hints that Linux gives: the processor's hypervisor flag and the names of maker and model. */
export const linuxHints = async (root = ''): Promise<MachineHint[]> => {
  const hints: MachineHint[] = []
  const processor = await text(`${root}/proc/cpuinfo`)
  if (/^flags\s*:.*\bhypervisor\b/m.test(processor)) hints.push({ from: '/proc/cpuinfo', value: 'hypervisor' })
  const hypervisor = await text(`${root}/sys/hypervisor/type`)
  if (hypervisor) hints.push({ from: '/sys/hypervisor/type', value: hypervisor })
  for (const name of ['sys_vendor', 'product_name', 'board_vendor']) {
    const value = await text(`${root}${dmi}/${name}`)
    if (makers.test(value)) hints.push({ from: `${dmi}/${name}`, value })
  }
  return hints
}

/** The hints in the answer of `sysctl kern.hv_vmm_present hw.model`: lines `kern.hv_vmm_present: 1`. */
export const parseSysctlHints = (answer: string): MachineHint[] => {
  const values = new Map(
    answer.split('\n').flatMap((line): [string, string][] => {
      const found = /^([\w.]+): (.*)$/.exec(line.trim())
      return found ? [[found[1]!, found[2]!]] : []
    }),
  )
  const hints: MachineHint[] = []
  if (values.get('kern.hv_vmm_present') === '1') hints.push({ from: 'kern.hv_vmm_present', value: '1' })
  const model = values.get('hw.model') ?? ''
  if (makers.test(model)) hints.push({ from: 'hw.model', value: model })
  return hints
}

const biosValues = new Set(['SystemManufacturer', 'SystemProductName', 'BaseBoardManufacturer', 'BIOSVendor'])

/** The hints in the answer of `reg query`: lines `    SystemManufacturer    REG_SZ    VMware, Inc.`; the key's own line is no value. */
export const parseRegistryHints = (answer: string): MachineHint[] =>
  answer.split('\n').flatMap((line) => {
    const [, name, value] = /^\s+(\w+)\s+REG_SZ\s+(.*?)\s*$/.exec(line) ?? []
    return name && value && biosValues.has(name) && makers.test(value) ? [{ from: name, value }] : []
  })

export const macosHints = async (): Promise<MachineHint[]> =>
  parseSysctlHints(await askCommand('/usr/sbin/sysctl', ['kern.hv_vmm_present', 'hw.model']))

export const windowsHints = async (): Promise<MachineHint[]> => {
  const program = `${process.env['SystemRoot'] ?? 'C:\\Windows'}\\System32\\reg.exe`
  return parseRegistryHints(await askCommand(program, ['query', 'HKLM\\HARDWARE\\DESCRIPTION\\System\\BIOS']))
}
