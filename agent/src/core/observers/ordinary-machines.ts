import { type AidName, aidObservers, type ObserverName } from '@integrity/protocol'
import type { PictureLook } from '../capture/types.ts'
import type { Difference } from './types.ts'

/** A process as `/proc` has it: its own name, its program file, and the cameras that it has open. */
export interface RecordedProcess {
  pid: number
  comm: string
  exe: string
  opens?: readonly string[]
}

/** What the sound server answers. */
export interface RecordedSound {
  /** The device that plays by default. */
  sink: { name: string; description: string }
  sources: readonly { name: string; description: string; monitorOf?: string }[]
  /** Streams that programs record, by the name of their source. */
  streams: readonly { source: string; properties: Readonly<Record<string, string>>; peaksOnly?: boolean }[]
}

/** A display as the desktop application lists it. */
export interface RecordedDisplay {
  id: string
  x: number
  y: number
  width: number
  height: number
  primary: boolean
}

/** What a Linux computer answers to the observers. */
export interface RecordedMachine {
  displays: readonly RecordedDisplay[]
  /** `/sys/class/drm/<socket>`: its status, and the beginning of its EDID in hexadecimal digits. */
  sockets: Readonly<Record<string, { status: 'connected' | 'disconnected'; edid: string }>>
  /** `/proc/bus/input/devices`. */
  inputDevices: string
  processes: readonly RecordedProcess[]
  sound: RecordedSound
  /** Other files of text, by their path. */
  files: Readonly<Record<string, string>>
  env: Readonly<Record<string, string>>
  /** What the X server counts in a minute. */
  input: { seconds: number; synthetic: number; hardwareSeconds: number }
  /** What the camera shows at each look of the recording, ten seconds apart. */
  camera: readonly Pick<PictureLook, 'mark' | 'varies'>[]
}

/** The observers that tell of how a computer is set up. The others tell of what happens on it, and their turn comes with time. */
export const setUpObservers = [
  'displays',
  'display_identity',
  'hid',
  'devices',
  'output_devices',
  'listeners',
  'processes',
  'remote_session',
  'input_origin',
  'picture_unchanged',
  'virtual_machine',
] as const satisfies readonly ObserverName[]

export type SetUpObserver = (typeof setUpObservers)[number]
export type Said = Partial<Record<SetUpObserver, readonly Difference[]>>

/** A plain set-up: what the computer answers, and what each observer says of that; the others say nothing. */
export interface OrdinaryMachine {
  name: string
  /** What makes it so, and what a reader may wonder about. */
  about: string
  machine: RecordedMachine
  /** The linked call, as the candidate named it. */
  callIn?: string
  /** An aid that was agreed; it switches observers off. */
  agreed?: AidName
  says: Said
}

/** The observers that are not started on such a machine. */
export const observersOffOf = ({ agreed }: OrdinaryMachine): readonly string[] =>
  agreed === undefined ? [] : aidObservers[agreed]
