import { aborted, type Source } from '../../core/observers/sampled-observer.ts'
import type { Environment } from '../../shared/child-process.ts'
import { type Clock, systemClock } from '../../shared/clock.ts'
import { words16, words32, XConnection } from './x-connection.ts'

// X Input Extension 2: XIQueryVersion, XIQueryDevice. X Synchronization Extension: ListSystemCounters, QueryCounter, CreateAlarm.
const queryXiVersion = 47
const queryDevice = 48
const initialize = 0
const listCounters = 1
const queryCounter = 5
const createAlarm = 8
const alarmNotify = 1
const slaveKeyboard = 4
/** Counter, kind of value, value, test, step, events. */
const alarmFields = 0x3f
const negativeTransition = 1

const fourth = (length: number): number => Math.ceil(length / 4) * 4

interface Keyboard {
  id: number
  synthetic: boolean
}

/** Keyboards that the server knows. Those through which programs send keys are called so by the server itself. */
const keyboardsOf = async (connection: XConnection): Promise<Keyboard[]> => {
  const { opcode } = await connection.extension('XInputExtension')
  await connection.ask(opcode, queryXiVersion, words16(2, 2))
  const reply = await connection.ask(opcode, queryDevice, words16(0, 0))
  const keyboards: Keyboard[] = []
  for (let left = reply.readUInt16LE(8), at = 32; left > 0; left -= 1) {
    const [id, use, classes] = [reply.readUInt16LE(at), reply.readUInt16LE(at + 2), reply.readUInt16LE(at + 6)]
    const length = reply.readUInt16LE(at + 8)
    const name = reply.toString('latin1', at + 12, at + 12 + length)
    at += 12 + fourth(length)
    for (let passed = 0; passed < classes; passed += 1) at += 4 * reply.readUInt16LE(at + 2)
    if (use === slaveKeyboard) keyboards.push({ id, synthetic: / XTEST /.test(name) })
  }
  return keyboards
}

/** The counters that the server keeps for devices: how long each has rested, by the device's number. */
const restOf = async (connection: XConnection, opcode: number): Promise<Map<number, number>> => {
  const reply = await connection.ask(opcode, listCounters)
  const counters = new Map<number, number>()
  for (let left = reply.readUInt32LE(8), at = 32; left > 0; left -= 1) {
    const length = reply.readUInt16LE(at + 12)
    const device = /^DEVICEIDLETIME (\d+)$/.exec(reply.toString('latin1', at + 14, at + 14 + length))?.[1]
    if (device !== undefined) counters.set(Number(device), reply.readUInt32LE(at))
    at += fourth(14 + length)
  }
  return counters
}

interface Watched {
  opcode: number
  notify: number
  hardware: number[]
}

/** Has the server tell each time that a synthetic keyboard's rest ends. That is a number of times; no key is told. */
const watchSynthetic = async (connection: XConnection): Promise<Watched> => {
  const keyboards = await keyboardsOf(connection)
  const { opcode, firstEvent } = await connection.extension('SYNC')
  await connection.ask(opcode, initialize, Buffer.from([3, 1, 0, 0]))
  const counters = await restOf(connection, opcode)
  const counted = (synthetic: boolean): number[] =>
    keyboards.flatMap((one) => (one.synthetic === synthetic ? (counters.get(one.id) ?? []) : []))
  const synthetic = counted(true)
  if (synthetic.length === 0) throw new Error('the X server counts no synthetic keyboard')
  for (const [index, counter] of synthetic.entries()) {
    const alarm = connection.idBase + 1 + index
    await connection.change(
      opcode,
      createAlarm,
      words32(alarm, alarmFields, counter, 0, 0, 0, negativeTransition, 0, 0, 1),
    )
  }
  return { opcode, notify: firstEvent + alarmNotify, hardware: counted(false) }
}

/** @throws Error where the server cannot tell synthetic input from a keyboard's */
export const probeInputCounts = async (env: Environment): Promise<void> => {
  const connection = await XConnection.open(env)
  try {
    await watchSynthetic(connection)
  } finally {
    connection.close()
  }
}

/** Of one stretch of time. */
export interface InputCounts {
  seconds: number
  /** Keys that programs sent, at least: those sent within one thousandth of a second count once. */
  synthetic: number
  /** Seconds in which a keyboard was used, as seen by a look every few seconds. */
  hardwareSeconds: number
}

export interface CountedTime {
  stretchMs: number
  lookMs: number
  clock?: Clock | undefined
}

/**
 * Counts synthetic keys, and how long keyboards were used, in stretches of time. A person's keyboard is asked only how long
 * it has rested, every few seconds: neither its keys nor when each was pressed ever come here.
 */
export const inputCounts =
  (env: Environment, { stretchMs, lookMs, clock = systemClock }: CountedTime): Source<InputCounts> =>
  async (see, signal) => {
    const connection = await XConnection.open(env)
    let changes = 0
    try {
      const { opcode, notify, hardware } = await watchSynthetic(connection)
      connection.onEvent = (event) => {
        if ((event.readUInt8(0) & 0x7f) === notify) changes += 1
      }
      const rested = async (counter: number): Promise<number> => {
        const reply = await connection.ask(opcode, queryCounter, words32(counter))
        return reply.readInt32LE(8) * 2 ** 32 + reply.readUInt32LE(12)
      }
      see({ seconds: 0, synthetic: 0, hardwareSeconds: 0 })
      while (!signal.aborted) {
        let hardwareMs = 0
        for (let passed = 0; passed < stretchMs && !signal.aborted; passed += lookMs) {
          await Promise.race([clock.sleep(lookMs, signal), connection.ended, aborted(signal)])
          const rests = await Promise.all(hardware.map(rested))
          if (rests.some((rest) => rest < lookMs)) hardwareMs += lookMs
        }
        // A key is pressed and released: two ends of a rest.
        see({ seconds: stretchMs / 1000, synthetic: Math.ceil(changes / 2), hardwareSeconds: hardwareMs / 1000 })
        changes = 0
      }
    } finally {
      connection.close()
    }
  }
