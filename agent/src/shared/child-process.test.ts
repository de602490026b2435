import { spawn } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { childClosed, commandText, findProgram, runCommand, stopChild } from './child-process.ts'

const node = process.execPath

describe('running a command', () => {
  it('gives its whole output, its exit code and what it was fed', async () => {
    const script =
      'process.stdin.pipe(process.stdout); process.stdin.on("end", () => { console.error("done"); process.exitCode = 3 })'
    const { code, stdout, stderr } = await runCommand(node, ['-e', script], { input: Buffer.from('hello') })
    expect({ code, out: stdout.toString(), err: stderr.trim() }).toEqual({ code: 3, out: 'hello', err: 'done' })
  })

  it('rejects for a program that does not exist, and is undefined as text', async () => {
    await expect(runCommand('/no/such/program', [])).rejects.toMatchObject({ code: 'ENOENT' })
    expect(await commandText('/no/such/program', [])).toBeUndefined()
    expect(await commandText(node, ['-e', 'process.exit(1)'])).toBeUndefined()
  })

  it('ends a program that takes too long', async () => {
    expect(await runCommand(node, ['-e', 'setInterval(() => {}, 1000)'], { timeoutMs: 200 })).toMatchObject({
      code: null,
    })
  })
})

describe('stopping a child', () => {
  it('kills one that does not want to go', async () => {
    const child = spawn(node, [
      '-e',
      'process.on("SIGTERM", () => {}); console.log("ready"); setInterval(() => {}, 1000)',
    ])
    await new Promise((resolve) => child.stdout.once('data', resolve))
    await stopChild(child, { graceMs: 100 })
    expect(child.signalCode).toBe('SIGKILL')
    await stopChild(child)
  })

  it('waits for nothing when the child never started', async () => {
    const child = spawn('/no/such/program')
    await childClosed(child)
    await stopChild(child)
    expect(child.pid).toBeUndefined()
  })
})

describe('finding a program', () => {
  it('looks along PATH', () => {
    expect(findProgram('sh', { PATH: '/nowhere:/bin' })).toBe('/bin/sh')
    expect(findProgram('sh', { PATH: '' })).toBeUndefined()
  })
})
