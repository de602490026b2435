import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { observerNames } from '@integrity/protocol'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { until } from '../../../test/test-support/until.ts'
import { helpingPrograms } from '../../core/observers/helping-programs.data.ts'
import { ordinaryMachines } from '../../core/observers/ordinary-machines.data.ts'
import { type OrdinaryMachine, observersOffOf, setUpObservers } from '../../core/observers/ordinary-machines.ts'
import type { Change, Observer } from '../../core/observers/types.ts'
import { systemClock } from '../../shared/clock.ts'
import { PulseCommand } from '../pulse/pulse-connection.ts'
import { createObservers } from './create-observers.ts'
import { createInputOriginObserver } from './input-origin.ts'
import { createPictureLooks } from './picture-looks.ts'
import { fakeShell } from './test-support/fake-shell.ts'
import { writeRecordedMachine } from './test-support/recorded-machine.ts'
import { serveRecordedSound } from './test-support/recorded-sound.ts'

let root: string
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'machine-'))
})
afterEach(() => rm(root, { recursive: true, force: true }))

/** The observers of the table on this computer, without those that an agreed aid switches off, and how many looks they took. */
const observersOf = (ordinary: OrdinaryMachine) => {
  const { machine, callIn } = ordinary
  const off = observersOffOf(ordinary)
  const looks = { taken: 0 }
  const clock = {
    ...systemClock,
    sleep: (ms: number, signal?: AbortSignal) => {
      looks.taken += 1
      return systemClock.sleep(ms, signal)
    },
  }
  const pictures = createPictureLooks()
  const shell = { ...fakeShell(), displays: () => [...machine.displays], mediaDevices: undefined }
  const env = { ...machine.env, PULSE_SERVER: `unix:${root}/sound` }
  const isOff = (name: string): boolean => !setUpObservers.some((one) => one === name) || off.includes(name)
  const observersOff = observerNames.filter((name) => isOff(name) || name === 'input_origin')
  const made = createObservers({
    platform: 'linux',
    root,
    env,
    clock,
    shell,
    callIn: () => callIn,
    observersOff,
    pictures,
  })
  const { input } = machine
  // The X server counts nothing until a first minute is over.
  const counts = createInputOriginObserver({
    platform: 'linux',
    env,
    counts: async (see) => {
      see({ ...input, synthetic: 0 })
      see(input)
    },
  })
  return { observers: isOff('input_origin') ? made : [...made, counts], looks, pictures }
}

/** What each observer says of the computer. */
const play = async (ordinary: OrdinaryMachine): Promise<Record<string, { kind: string; value: unknown }[]>> => {
  await writeRecordedMachine(root, ordinary.machine)
  const sound = await serveRecordedSound(join(root, 'sound'), ordinary.machine.sound)
  const { observers, looks, pictures } = observersOf(ordinary)
  const said: Record<string, { kind: string; value: unknown }[]> = {}
  const stop = new AbortController()
  const tell = (observer: Observer) => (change: Change) => {
    said[observer.name] = [...(said[observer.name] ?? []), { kind: change.kind, value: change.value }]
  }
  for (const observer of observers) expect(await observer.probe()).toEqual({ status: 'observable' })
  const before = sound.asked.length
  const running = observers.map((observer) => observer.start(tell(observer), stop.signal))
  for (const [index, look] of ordinary.machine.camera.entries()) pictures.tell({ ...look, mono: index * 10_000 })
  const off = observersOffOf(ordinary)
  const polling = ['processes', 'virtual_machine', 'devices', 'listeners', 'hid', 'display_identity', 'remote_session']
  const asked = (command: number): boolean => sound.asked.slice(before).includes(command)
  await until('a look of each', () => looks.taken >= polling.filter((name) => !off.includes(name)).length)
  await until('who records', () => off.includes('listeners') || asked(PulseCommand.getSourceOutputInfoList))
  await until('the answer of the sound server', () => asked(PulseCommand.getSinkInfo) && 'output_devices' in said)
  // What is said too much would come with what was expected.
  await delay(50)
  stop.abort()
  await Promise.allSettled(running)
  sound.close()
  return said
}

describe('ordinary machines', () => {
  it.each(ordinaryMachines)('$name: observers say exactly what the table says', async (ordinary) => {
    expect(await play(ordinary)).toEqual(ordinary.says)
  })

  it('are at least twenty, each with a name of its own', () => {
    expect(ordinaryMachines.length).toBeGreaterThanOrEqual(20)
    expect(new Set(ordinaryMachines.map(({ name }) => name)).size).toBe(ordinaryMachines.length)
  })

  it('name no program that helps a person, wherever one runs', () => {
    const helped = ordinaryMachines.filter(({ machine }) =>
      machine.processes.some(({ comm }) => helpingPrograms.includes(comm)),
    )
    expect(helped.length).toBeGreaterThanOrEqual(6)
    const words = (says: unknown): string[] =>
      JSON.stringify(says)
        .toLowerCase()
        .match(/[\w.-]+/g) ?? []
    for (const { says } of helped) expect(words(says).filter((word) => helpingPrograms.includes(word))).toEqual([])
  })
})
