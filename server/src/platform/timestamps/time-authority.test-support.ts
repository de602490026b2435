import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** A policy that it knows beside its usual one. */
export const otherPolicy = '1.2.3.4.5.6'

const config = (folder: string): string => `
[req]
distinguished_name = name
[name]
[ca]
basicConstraints = critical, CA:TRUE
keyUsage = critical, keyCertSign
subjectKeyIdentifier = hash
[stamps]
basicConstraints = CA:FALSE
keyUsage = critical, digitalSignature
extendedKeyUsage = critical, timeStamping
[loose]
basicConstraints = CA:FALSE
extendedKeyUsage = timeStamping, codeSigning
[tsa]
default_tsa = here
[here]
serial = ${folder}/serial
crypto_device = builtin
signer_digest = sha256
default_policy = 1.2.3.4.1
other_policies = ${otherPolicy}
digests = sha256
accuracy = secs:1
tsa_name = yes
ess_cert_id_alg = sha256
`

const keys = {
  ec: ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256'],
  rsa: ['-newkey', 'rsa:2048'],
} as const

export interface TimeAuthorityFiles {
  readonly folder: string
  /** The certificate that its own leads to. */
  readonly ca: string
  /** Its own certificate, and one for more than time stamps that the same authority signed. */
  readonly stamps: string
  readonly loose: string
  /** Answers a request as OpenSSL does. */
  reply(request: Uint8Array): Promise<Buffer>
  /** Whether OpenSSL takes an answer as one about these bytes. */
  verify(answer: Uint8Array, data: Uint8Array): Promise<string>
  remove(): Promise<void>
}

/** A time-stamp authority of OpenSSL in a folder of its own. */
export const makeTimeAuthority = async (kind: keyof typeof keys = 'ec'): Promise<TimeAuthorityFiles> => {
  const folder = await mkdtemp(join(tmpdir(), 'time-authority-'))
  const at = (name: string) => join(folder, name)
  const openssl = (...args: readonly string[]) => run('openssl', [...args], { cwd: folder })
  await writeFile(at('config'), config(folder))
  const made = ['-config', 'config', '-nodes', '-days', '3650', '-x509', ...keys[kind]]
  await openssl('req', ...made, '-subj', '/CN=Times CA', '-extensions', 'ca', '-keyout', 'ca.key', '-out', 'ca.pem')
  for (const name of ['stamps', 'loose'])
    await openssl(
      ...['req', ...made, '-CA', 'ca.pem', '-CAkey', 'ca.key', '-subj', `/O=Times/CN=${name}`, '-extensions', name],
      ...['-keyout', `${name}.key`, '-out', `${name}.pem`],
    )
  let asked = 0
  return {
    folder,
    ca: await readFile(at('ca.pem'), 'utf8'),
    stamps: await readFile(at('stamps.pem'), 'utf8'),
    loose: await readFile(at('loose.pem'), 'utf8'),
    reply: async (request) => {
      asked += 1
      const [query, reply] = [at(`${asked}.tsq`), at(`${asked}.tsr`)]
      await writeFile(query, request)
      const by = ['-signer', at('stamps.pem'), '-inkey', at('stamps.key'), '-chain', at('ca.pem')]
      await openssl('ts', '-reply', '-config', 'config', '-queryfile', query, ...by, '-out', reply)
      return readFile(reply)
    },
    verify: async (answer, data) => {
      await writeFile(at('kept.tsr'), answer)
      await writeFile(at('kept.txt'), data)
      return (await openssl('ts', '-verify', '-data', 'kept.txt', '-in', 'kept.tsr', '-CAfile', 'ca.pem')).stdout
    },
    remove: () => rm(folder, { recursive: true }),
  }
}

export interface TimeAuthorityDouble extends TimeAuthorityFiles {
  readonly url: string
  /** Every request that it was sent, with its type. */
  readonly requests: { readonly type: string | undefined; readonly body: Buffer }[]
  /** What it does instead of answering. */
  answer: ((response: ServerResponse, right: Buffer) => void) | undefined
}

/** The same behind an address of this machine. */
export const startTimeAuthority = async (): Promise<TimeAuthorityDouble> => {
  const files = await makeTimeAuthority()
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const pieces: Buffer[] = []
    for await (const piece of request) pieces.push(piece as Buffer)
    const body = Buffer.concat(pieces)
    double.requests.push({ type: request.headers['content-type'], body })
    const right = await files.reply(body)
    if (double.answer) double.answer(response, right)
    else response.writeHead(200, { 'content-type': 'application/timestamp-reply' }).end(right)
  }
  const server = createServer((request, response) => void serve(request, response).catch(() => response.destroy()))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const double: TimeAuthorityDouble = {
    ...files,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/tsr`,
    requests: [],
    answer: undefined,
    remove: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await files.remove()
    },
  }
  return double
}
