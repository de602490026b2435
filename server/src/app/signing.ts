import { isUtf8 } from 'node:buffer'
import { readFile } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { ServiceError, type SignedDocumentContent } from '@integrity/protocol'
import { publishSigned } from '../domains/candidates/updates/updates.service.ts'
import type { Parts } from '../kernel/parts.ts'
import { MinisignError } from '../platform/minisign/public-key.ts'
import { parseSecretKey } from '../platform/minisign/secret-key.ts'
import { signMessage } from '../platform/minisign/signature.ts'
import { type Command, need, text } from './admin-command.ts'

/** How a publication is signed: with a key here and now, or by a document that was signed elsewhere. */
export const signingOptions = { key: text, 'expires-days': text, document: text, signature: text } as const
export type SigningValues = { readonly [Name in keyof typeof signingOptions]?: string | undefined }

const refuse = (message: string): ServiceError => new ServiceError('invalid_request', message)

const readText = async (file: string): Promise<string> => {
  const bytes = await readFile(file).catch((error: unknown) => {
    throw refuse(`cannot read ${file}: ${(error as Error).message}`)
  })
  if (!isUtf8(bytes)) throw refuse(`${file} is not UTF-8`)
  return bytes.toString('utf8')
}

type Call = Parameters<Command>[0]

/** Asks at the terminal without showing what is typed. */
const askPassword = async ({ env }: Pick<Call, 'env'>): Promise<string> => {
  const given = env['MINISIGN_PASSWORD']
  if (given !== undefined) return given
  if (!process.stdin.isTTY)
    throw refuse('this secret key has a password: set MINISIGN_PASSWORD, or run this in a terminal')
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const prompt = createInterface({ input: process.stdin, output: silent, terminal: true })
  process.stderr.write('Password of the secret key: ')
  try {
    return await new Promise((resolve, reject) => {
      prompt.question('', resolve)
      prompt.once('SIGINT', () => reject(refuse('no password was given')))
    })
  } finally {
    prompt.close()
    process.stderr.write('\n')
  }
}

/** Milliseconds from now on that a document stays in force; 30 days where nothing is said. */
export const lifetimeMs = (values: SigningValues): number => {
  const days = Number(values['expires-days'] ?? 30)
  if (!Number.isInteger(days) || days < 1 || days > 3650) throw refuse('--expires-days must be a number from 1 to 3650')
  return days * 86_400_000
}

/** The text whose bytes are signed. */
export const textOf = (content: SignedDocumentContent): string => `${JSON.stringify(content, null, 2)}\n`

const sign = async (
  call: Pick<Call, 'env'>,
  keyFile: string,
  document: string,
  content: SignedDocumentContent,
): Promise<string> => {
  const about = { timestamp: Math.floor(Date.parse(content.issuedAt) / 1000), fileName: `${content.kind}.json` }
  try {
    const key = await parseSecretKey(await readText(keyFile), () => askPassword(call))
    return signMessage(Buffer.from(document, 'utf8'), key, about)
  } catch (error) {
    if (error instanceof MinisignError) throw refuse(`${keyFile}: ${error.message}`)
    throw error
  }
}

interface Signing<V extends SigningValues> {
  readonly kind: SignedDocumentContent['kind']
  readonly read: (args: string[]) => V
  readonly compose: (app: Parts, values: V) => Promise<SignedDocumentContent>
}

/** What was signed elsewhere, or is signed here. The secret key is used and forgotten. */
const signedText = async <V extends SigningValues>(call: Call, values: V, { compose }: Signing<V>) => {
  if (values.document !== undefined || values.signature !== undefined) {
    need(values, ['document', 'signature'])
    return { document: await readText(values.document ?? ''), signature: await readText(values.signature ?? '') }
  }
  need(values, ['key'])
  const content = await compose(call.app, values)
  const document = textOf(content)
  return { document, signature: await sign(call, values.key ?? '', document, content) }
}

/** The two commands of a kind of document: `publish` puts the next one in force, `print` writes it to be signed elsewhere. */
export const signingCommands = <V extends SigningValues & { readonly json?: boolean | undefined }>(
  signing: Signing<V>,
): { readonly publish: Command; readonly print: Command } => ({
  publish: async (call, args) => {
    const values = signing.read(args)
    const { series, sequence, keyId, expiresAt } = await publishSigned(call.app, {
      kind: signing.kind,
      signed: await signedText(call, values, signing),
    })
    if (values.json) call.print(JSON.stringify({ series, sequence, keyId }))
    else call.print(`${series}: ${sequence} is in force until ${new Date(expiresAt).toISOString()}`)
    return 0
  },
  print: async ({ app, print }, args) => {
    print(textOf(await signing.compose(app, signing.read(args))).trimEnd())
    return 0
  },
})
