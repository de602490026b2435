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
})
