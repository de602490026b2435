import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { ServiceError } from '@integrity/protocol'
import type { Surroundings } from './admin-command.ts'

/** As a terminal asks: nothing of what is typed is shown. */
const prompt = async (what: string, { stderr }: Surroundings): Promise<string> => {
  const silent = new Writable({ write: (_piece, _encoding, done) => done() })
  const lines = createInterface({ input: process.stdin, output: silent, terminal: true })
  stderr.write(`${what}: `)
  try {
    return await new Promise<string>((resolve, reject) => {
      lines.once('line', resolve)
      lines.once('close', () => reject(new ServiceError('invalid_request', `no ${what} was given`)))
    })
  } finally {
    stderr.write('\n')
    lines.close()
  }
}

/** A secret from a prompt, or the first line of what is piped in. */
export const readSecret = async (what: string, surroundings: Surroundings): Promise<string> => {
  const { stdin } = surroundings
  if (stdin?.isTTY) return prompt(what, surroundings)
  let text = ''
  for await (const piece of stdin ?? []) {
    text += String(piece)
    if (text.includes('\n') || text.length > 4096) break
  }
  const line = text.split('\n')[0]?.replace(/\r$/, '') ?? ''
  if (line === '')
    throw new ServiceError('invalid_request', `no ${what}: type it when asked, or pipe it in as one line`)
  return line
}
