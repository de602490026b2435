import { X509Certificate } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { runCommand } from '../../../shared/child-process.ts'
import { spkiSha256Of } from '../pins.ts'

export interface Certificate {
  readonly key: string
  readonly cert: string
  readonly pin: string
}

export interface CertificateOptions {
  /** The common name; `localhost` for a server. */
  readonly name: string
  /** Who signs it; itself unless told. */
  readonly by?: Certificate
  readonly isAuthority?: boolean
  readonly extensions?: readonly string[]
}

const openssl = async (...args: string[]): Promise<void> => {
  const { code, stderr } = await runCommand('openssl', args, { timeoutMs: 60_000 })
  if (code !== 0) throw new Error(stderr)
}

let count = 0

/** Makes a key and a certificate for it (P-256, valid 30 days) in `folder`, with the openssl program. */
export const makeCertificate = async (folder: string, options: CertificateOptions): Promise<Certificate> => {
  count += 1
  const path = (name: string): string => join(folder, `${count}-${name}`)
  const [key, cert] = [path('key.pem'), path('cert.pem')]
  const args = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '30']
  args.push('-subj', `/CN=${options.name}`, '-keyout', key, '-out', cert)
  if (options.by) {
    const [by, byKey] = [path('by.pem'), path('by-key.pem')]
    await Promise.all([writeFile(by, options.by.cert), writeFile(byKey, options.by.key)])
    args.push('-CA', by, '-CAkey', byKey)
  }
  const server = ['basicConstraints=critical,CA:FALSE', 'subjectAltName=DNS:localhost,IP:127.0.0.1']
  const extensions = options.isAuthority ? ['basicConstraints=critical,CA:TRUE'] : server
  for (const extension of [...extensions, ...(options.extensions ?? [])]) args.push('-addext', extension)
  await openssl('req', ...args)
  const [keyText, certText] = await Promise.all([readFile(key, 'utf8'), readFile(cert, 'utf8')])
  return { key: keyText, cert: certText, pin: spkiSha256Of(new X509Certificate(certText)) }
}

/** A certificate's pin as the openssl program computes it, by the command of RFC 7469, appendix A. */
export const pinByOpenssl = async (folder: string, { cert }: Certificate): Promise<string> => {
  const path = join(folder, 'pin.pem')
  await writeFile(path, cert)
  const command = `openssl x509 -in "$1" -pubkey -noout | openssl pkey -pubin -outform der | openssl dgst -sha256 -binary | openssl enc -base64`
  return (await runCommand('sh', ['-c', command, 'sh', path])).stdout.toString().trim()
}
