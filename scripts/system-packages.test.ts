import { describe, expect, it } from 'vitest'
import { ensurePrograms, type Machine, type SystemProgram, thisMachine } from './system-packages.ts'

interface Answer {
  code: number
  output: string
}
const ok: Answer = { code: 0, output: '' }

/** A machine that lacks `programs` until an install goes well, and whose apt-get gives `answers` in turn. */
const machineWith = (programs: SystemProgram[], answers: Answer[], able = true) => {
  const commands: string[] = []
  const said: string[] = []
  let pauses = 0
  let missing = programs
  const machine: Machine = {
    missing: (wanted) => Promise.resolve(wanted.filter((name) => missing.includes(name))),
    canInstall: () => able,
    isDebian: () => true,
    apt(args) {
      commands.push(args.join(' '))
      const answer = answers.shift() ?? ok
      if (args[0] === 'install' && answer.code === 0) missing = []
      return Promise.resolve(answer)
    },
    pause() {
      pauses += 1
      return Promise.resolve()
    },
    say: (line) => said.push(line),
  }
  return { machine, commands, said, pauses: () => pauses }
}

describe('ensurePrograms', () => {
  it('runs nothing when all is there', async () => {
    const { machine, commands, said } = machineWith([], [])
    expect(await ensurePrograms(['ffmpeg', 'sox'], machine)).toEqual([])
    expect([...commands, ...said]).toEqual([])
  })

  it('renews the lists once and installs only the packages that are missing, each once', async () => {
    const { machine, commands } = machineWith(['xprop', 'xwininfo', 'Xvfb'], [])
    expect(await ensurePrograms(['ffmpeg', 'xprop', 'xwininfo', 'Xvfb'], machine)).toEqual([])
    expect(commands).toEqual(['update', 'install -y --no-install-recommends x11-utils xvfb'])
  })

  it('names the command to run when it may not install', async () => {
    const { machine, commands, said } = machineWith(['age'], [], false)
    expect(await ensurePrograms(['age'], machine)).toEqual(['age'])
    expect(commands).toEqual([])
    expect(said.join('\n')).toContain('apt-get install -y age')
  })

  it('tries a failing mirror again', async () => {
    const { machine, commands } = machineWith(['age'], [ok, { code: 100, output: 'Temporary failure resolving' }])
    expect(await ensurePrograms(['age'], machine)).toEqual([])
    expect(commands.filter((command) => command.startsWith('install'))).toHaveLength(2)
  })

  it('waits for as long as another package manager holds the lock, beyond the number of tries', async () => {
    const locked = {
      code: 100,
      output: 'E: Could not get lock /var/lib/apt/lists/lock. It is held by process 7 (apt-get)',
    }
    const { machine, pauses } = machineWith(['age'], [locked, locked, locked, locked, locked])
    expect(await ensurePrograms(['age'], machine)).toEqual([])
    expect(pauses()).toBe(5)
  })

  it('says what could not be installed after the last try', async () => {
    const broken = { code: 100, output: 'E: Unable to locate package age' }
    const { machine, said } = machineWith(['age'], [ok, broken, broken, broken])
    expect(await ensurePrograms(['age'], machine)).toEqual(['age'])
    expect(said.join('\n')).toContain('Unable to locate package age')
  })
})

describe('this machine', () => {
  it('misses a program that no folder of the PATH holds', async () => {
    const path = process.env.PATH
    try {
      process.env.PATH = ''
      expect(await thisMachine.missing(['age'])).toEqual(['age'])
    } finally {
      process.env.PATH = path
    }
  })
})
