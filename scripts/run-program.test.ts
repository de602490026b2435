import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import { runProgram } from './run-program.ts'

const node = process.execPath

describe('a program', () => {
  it('goes after others as far as it is told to, and so do its children', async () => {
    const child = `console.log(require('node:os').getPriority())`
    const script = `${child}; console.log(require('node:child_process').execFileSync(process.execPath, ['-e', ${JSON.stringify(child)}]) + '')`
    const { output } = await runProgram(node, ['-e', script], { niceness: 7 })
    expect(output.trim().split(/\s+/)).toEqual(['7', '7'])
  })

  it('beside others has its output shown in whole lines, each where it belongs', async () => {
    const chatty = `console.error('trouble'); process.stdout.write('one, ', () => process.stdout.write('two\\nthree'))`
    const module = pathToFileURL(join(import.meta.dirname, 'run-program.ts')).href
    const outer = (program: string) =>
      `const { runProgram } = await import(${JSON.stringify(module)})
      const { write } = process.stdout
      process.stdout.write = (text) => write.call(process.stdout, JSON.stringify(text))
      await runProgram(process.execPath, ['-e', ${JSON.stringify(program)}], { output: 'lines' })`
    const { output } = await runProgram(node, ['--input-type=module', '-e', outer(chatty)])
    expect(output.split('\n').toSorted()).toEqual(['"one, two\\n""three\\n"', 'trouble'].toSorted())
  })

  it.each(['SIGINT', 'SIGTERM'] as const)('that ends after a %s is the last of its command', async (signal) => {
    const module = pathToFileURL(join(import.meta.dirname, 'run-program.ts')).href
    // Vitest is such a program: it takes the signal and ends in its own time, with a code.
    const patient = `setInterval(() => 0, 1000); process.on('${signal}', () => process.exit(3)); console.log('began')`
    const outer = `const { runProgram } = await import(${JSON.stringify(module)})
      const run = (program) => runProgram(process.execPath, ['-e', program], { output: 'show' })
      try {
        await run(${JSON.stringify(patient)})
        await run("console.log('went on')")
      } finally {
        console.log('tidied up')
      }`
    const child = spawn(node, ['--input-type=module', '-e', outer], { stdio: ['ignore', 'pipe', 'pipe'] })
    let [output, errors] = ['', '']
    child.stdout.on('data', (chunk) => {
      if (output === '') child.kill(signal)
      output += String(chunk)
    })
    child.stderr.on('data', (chunk) => {
      errors += String(chunk)
    })
    const [code] = await once(child, 'close')
    expect(output).toBe('began\ntidied up\n')
    expect(errors).toContain(`Stopped by ${signal}.`)
    expect(code).not.toBe(0)
  })
})
