import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { idpEntityId } from './saml-idp.ts'
import { samlKeys } from './saml-keys.ts'

/** What it signs with. */
export const signer = '/usr/bin/xmlsec1'
// Debian's own: its packages are no other Python's.
const python = '/usr/bin/python3'
const program = resolve(import.meta.dirname, '../pysaml2/idp.py')

interface Answers {
  readonly signIn: { readonly SAMLResponse: string; readonly RelayState: string }
  readonly signOut: { readonly url: string; readonly id: string }
  readonly signedOut: { readonly url: string; readonly nameId: string }
  readonly confirmed: { readonly inResponseTo: string; readonly status: string }
}

/** An identity provider of another maker, in a process of its own. */
export interface Pysaml2 {
  /** Rejects with what it says where it refuses. */
  ask<Op extends keyof Answers>(op: Op, given: object): Promise<Answers[Op]>
  stop(): Promise<void>
}

/** @param options.metadata of the service, the only one that it knows */
export const startPysaml2 = async (options: {
  readonly metadata: string
  readonly key?: keyof typeof samlKeys
  readonly demandsSignatures?: boolean
}): Promise<Pysaml2> => {
  const { metadata, key = 'a', demandsSignatures = false } = options
  const folder = await mkdtemp(join(tmpdir(), 'pysaml2-'))
  await writeFile(join(folder, 'key.pem'), samlKeys[key].key)
  await writeFile(join(folder, 'cert.pem'), samlKeys[key].certificate)
  const child = spawn(python, [program], { stdio: ['pipe', 'pipe', 'pipe'] })
  let complaints = ''
  child.stderr.on('data', (text: Buffer) => (complaints += text.toString()))
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const say = async (given: object): Promise<unknown> => {
    child.stdin.write(`${JSON.stringify(given)}\n`)
    const { value, done } = await lines.next()
    if (done) throw new Error(`pysaml2 has ended: ${complaints.slice(-2000)}`)
    const answer = JSON.parse(value as string) as { error?: string }
    if (answer.error !== undefined) throw new Error(answer.error)
    return answer
  }
  const files = { key: join(folder, 'key.pem'), cert: join(folder, 'cert.pem') }
  await say({ op: 'open', at: new URL(idpEntityId).origin, metadata, demandsSignatures, ...files })
  return {
    ask: async (op, given) => (await say({ op, ...given })) as never,
    stop: async () => {
      const ended = new Promise((end) => child.once('exit', end))
      child.stdin.end()
      await ended
      await rm(folder, { recursive: true })
    },
  }
}
