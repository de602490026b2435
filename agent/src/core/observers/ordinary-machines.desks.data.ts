import {
  builtInMicrophone,
  buttons,
  connected,
  display,
  innerIdentity,
  keyboard,
  laptop,
  laptopDevices,
  laptopInput,
  laptopSays,
  mouse,
  one,
  pen,
  runs,
  saysDevice,
  saysDisplay,
  saysIdentities,
  saysInput,
  saysOutput,
  saysProgram,
} from './ordinary-machines.parts.ts'
import type { OrdinaryMachine } from './ordinary-machines.ts'

const inner = display('eDP-1', 0, 1920, 1080, true)
const left = display('DP-1', 1920, 2560, 1440)
const right = display('DP-2', 4480, 2560, 1440)
const wall = display('HDMI-1', 0, 2560, 1440, true)
const remote = display('rdp0', 0, 1600, 900, true)
const virtual = display('Virtual-1', 0, 1280, 800, true)
const delivered = (socket: string) => ({ display: `${socket}-1`, connection: socket, maker: 'DEL' })
const ownInput = [one('keyboard', 'built_in'), one('pointer', 'built_in')] as const
const deskInput = [ownInput[0], one('keyboard', 'usb'), ownInput[1], one('pointer', 'usb')] as const
const besides = keyboard('usb') + mouse('usb')

const docked: readonly OrdinaryMachine[] = [
  {
    name: 'A dock with two monitors',
    about: 'With keyboard and mouse of its own.',
    machine: {
      ...laptop,
      displays: [inner, left, right],
      sockets: { ...laptop.sockets, 'card0-DP-1': connected('DEL'), 'card0-DP-2': connected('DEL') },
      inputDevices: laptopInput + besides,
    },
    says: {
      ...laptopSays,
      displays: [inner, left, right].map(saysDisplay),
      display_identity: [
        saysIdentities(delivered('DP'), { display: 'DP-2', connection: 'DP', maker: 'DEL' }, innerIdentity),
      ],
      hid: [saysInput(...deskInput)],
    },
  },
  {
    name: 'A laptop with its lid closed',
    about: "On a monitor: the laptop's own display stays connected to its socket, and shows nothing.",
    machine: {
      ...laptop,
      displays: [wall],
      sockets: { 'card0-eDP-1': connected('BOE'), 'card0-HDMI-A-1': connected('DEL') },
      inputDevices: laptopInput + besides,
    },
    says: {
      ...laptopSays,
      displays: [saysDisplay(wall)],
      display_identity: [saysIdentities({ display: 'HDMI-A-1', connection: 'HDMI-A', maker: 'DEL' }, innerIdentity)],
      hid: [saysInput(...deskInput)],
    },
  },
  {
    name: 'A second keyboard',
    about: 'A receiver by USB that says it is a keyboard and a mouse.',
    machine: { ...laptop, inputDevices: `${laptopInput}${keyboard('usb', 'Receiver')}${mouse('usb', 'Receiver')}` },
    says: { ...laptopSays, hid: [saysInput(...deskInput)] },
  },
  {
    name: 'A drawing tablet',
    about: 'Its pen moves the pointer; its buttons count as nothing.',
    machine: { ...laptop, inputDevices: `${laptopInput}${pen('Intuos S Pen')}${buttons('usb', 'Intuos S Pad')}` },
    says: { ...laptopSays, hid: [saysInput(...ownInput, one('pointer', 'usb'))] },
  },
  {
    name: 'A switch for keyboard, mouse and monitor (KVM)',
    about: 'One desk for two computers, turned to this one. It passes the picture on and no name of the monitor.',
    machine: {
      ...laptop,
      displays: [wall],
      sockets: { 'card0-eDP-1': connected('BOE'), 'card0-HDMI-A-1': connected('none') },
      inputDevices: laptopInput + besides,
    },
    says: {
      ...laptopSays,
      displays: [saysDisplay(wall)],
      display_identity: [saysIdentities({ display: 'HDMI-A-1', connection: 'HDMI-A', maker: null }, innerIdentity)],
      hid: [saysInput(...deskInput)],
    },
  },
]

const headset = (name: string, bus: 'usb' | 'bluetooth'): Pick<OrdinaryMachine, 'machine' | 'says'> => ({
  machine: {
    ...laptop,
    inputDevices: laptopInput + buttons(bus, name),
    sound: {
      sink: { name: `${bus}_output.1`, description: name },
      sources: [
        ...laptop.sound.sources,
        { name: `${bus}_input.1`, description: name },
        { name: `${bus}_output.1.monitor`, description: `Monitor of ${name}`, monitorOf: `${bus}_output.1` },
      ],
      streams: [],
    },
  },
  says: {
    ...laptopSays,
    devices: [...laptopDevices, saysDevice('microphone', name), saysDevice('sound_monitor', `Monitor of ${name}`)],
    output_devices: [saysOutput(name)],
  },
})

const sounding: readonly OrdinaryMachine[] = [
  {
    name: 'A headset by USB',
    about: 'Its buttons are no keyboard.',
    ...headset('Jabra Evolve2 40', 'usb'),
  },
  {
    name: 'A Bluetooth headset',
    about: 'It goes as it came when its battery is empty.',
    ...headset('WH-1000XM5', 'bluetooth'),
  },
]

const elsewhere: readonly OrdinaryMachine[] = [
  {
    name: 'The office computer, by remote desktop',
    about: 'The agent runs on the computer in the office (xrdp); the candidate sits elsewhere.',
    machine: {
      ...laptop,
      displays: [remote],
      sockets: { 'card0-HDMI-A-1': connected('GSM') },
      inputDevices: besides,
      processes: [runs('/usr/sbin/xrdp-sesman'), runs('/usr/sbin/xrdp-chansrv')],
      sound: {
        sink: { name: 'xrdp-sink', description: 'xrdp sink' },
        sources: [{ name: 'xrdp-source', description: 'xrdp source' }],
        streams: [],
      },
      files: { '/proc/cpuinfo': 'flags\t\t: fpu sse avx\n', '/sys/class/dmi/id/sys_vendor': 'Dell Inc.\n' },
      env: { XRDP_SESSION: '1' },
    },
    says: {
      displays: [saysDisplay(remote)],
      display_identity: [saysIdentities({ display: 'HDMI-A-1', connection: 'HDMI-A', maker: 'GSM' })],
      hid: [saysInput(one('keyboard', 'usb'), one('pointer', 'usb'))],
      devices: [saysDevice('microphone', 'xrdp source')],
      output_devices: [saysOutput('xrdp sink')],
      processes: [saysProgram('xrdp-sesman')],
      remote_session: [
        { kind: 'remote_session.started', value: { from: 'program', value: 'xrdp-chansrv' } },
        { kind: 'remote_session.started', value: { from: 'program', value: 'xrdp-sesman' } },
        { kind: 'remote_session.started', value: { from: 'XRDP_SESSION', value: 'set' } },
      ],
    },
  },
  {
    name: 'A remote desktop in a window',
    about: 'The candidate has the office computer open in Remmina; this desktop itself is shown nowhere else.',
    machine: { ...laptop, processes: [...laptop.processes, runs('/usr/bin/remmina')] },
    says: { ...laptopSays, processes: [saysProgram('remmina')] },
  },
  {
    name: 'A virtual machine',
    about: 'As an employer or a school hands out, here of VirtualBox.',
    machine: {
      ...laptop,
      displays: [virtual],
      sockets: { 'card0-Virtual-1': connected('none') },
      inputDevices: `${keyboard('built_in')}${mouse('built_in')}${mouse('usb', 'VirtualBox USB Tablet')}`,
      sound: { ...laptop.sound, sources: [builtInMicrophone] },
      files: {
        '/proc/cpuinfo': 'flags\t\t: fpu sse avx hypervisor\n',
        '/sys/class/dmi/id/sys_vendor': 'innotek GmbH\n',
        '/sys/class/dmi/id/product_name': 'VirtualBox\n',
      },
    },
    says: {
      displays: [saysDisplay(virtual)],
      display_identity: [saysIdentities({ display: 'Virtual-1', connection: 'Virtual', maker: null })],
      hid: [saysInput(...ownInput, one('pointer', 'usb'))],
      devices: [saysDevice('microphone', builtInMicrophone.description)],
      output_devices: laptopSays.output_devices ?? [],
      virtual_machine: [
        { kind: 'vm.hint', value: { from: '/proc/cpuinfo', value: 'hypervisor' } },
        { kind: 'vm.hint', value: { from: '/sys/class/dmi/id/sys_vendor', value: 'innotek GmbH' } },
        { kind: 'vm.hint', value: { from: '/sys/class/dmi/id/product_name', value: 'VirtualBox' } },
      ],
    },
  },
]

/** Set-ups of desks: what is plugged in, and where the computer is. */
export const ordinaryDesks: readonly OrdinaryMachine[] = [...docked, ...sounding, ...elsewhere]
