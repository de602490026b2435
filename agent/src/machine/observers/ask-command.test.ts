import { describe, expect, it } from 'vitest'
import { askCommand } from './ask-command.ts'

const node = process.execPath

describe('asking a command', () => {
  it('gives its whole answer', async () => {
    expect(await askCommand(node, ['-e', 'process.stdout.write("Übung\\n".repeat(3))'])).toBe('Übung\nÜbung\nÜbung\n')
  })

  it.each([
    ['fails', 60_000, ['-e', 'console.log("a secret"); console.error("a secret"); process.exit(1)']],
    ['never ends', 1000, ['-e', 'console.log("a secret"); setInterval(() => {}, 1000)']],
    [
      'never stops talking',
      60_000,
      ['-e', 'const fs = require("node:fs"); for (;;) try { fs.writeSync(1, "a secret".repeat(1000)) } catch {}'],
    ],
  ])('that %s is an error that repeats nothing of it', async (_, timeoutMs, args) => {
    const asked = askCommand(node, args, { timeoutMs })
    await expect(asked).rejects.toThrow(/^\S+ gives no answer$/)
  })

  it('that does not exist is the same error', async () => {
    await expect(askCommand('/no/such/program', [])).rejects.toThrow(/^\/no\/such\/program gives no answer$/)
  })
})
