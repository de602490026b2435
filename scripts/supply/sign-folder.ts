import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { parseSecretKey } from '../../server/src/platform/minisign/secret-key.ts'
import { signMessage } from '../../server/src/platform/minisign/signature.ts'

const sumsFile = 'SHA256SUMS'
const signatureFile = `${sumsFile}.minisig`

const sumOf = async (file: string): Promise<string> => {
  const hash = createHash('sha256')
  await pipeline(createReadStream(file), hash)
  return hash.digest('hex')
}

export interface SigningCall {
  readonly folder: string
  readonly keyFile: string
  /** Asked for only where the key has one. */
  readonly password: () => Promise<string>
  readonly now: Date
}

/**
 * Writes the sums of all files of a folder, as `sha256sum` does, and minisign's signature of them: one signature for a whole
 * release. Throws where the folder is empty, or a MinisignError where the key cannot be opened.
 * @returns the two files
 */
export const signFolder = async ({ folder, keyFile, password, now }: SigningCall): Promise<readonly string[]> => {
  const entries = await readdir(folder, { withFileTypes: true })
  const names = entries.flatMap((entry) => (entry.isFile() ? [entry.name] : [])).sort()
  const signed = names.filter((name) => name !== sumsFile && name !== signatureFile)
  if (signed.length === 0) throw new Error(`${folder} has no file to sign.`)
  const key = await parseSecretKey(await readFile(keyFile, 'utf8'), password)
  const lines: string[] = []
  for (const name of signed) lines.push(`${await sumOf(join(folder, name))}  ${name}\n`)
  const sums = lines.join('')
  const about = { timestamp: Math.floor(now.getTime() / 1000), fileName: sumsFile }
  await writeFile(join(folder, sumsFile), sums)
  await writeFile(join(folder, signatureFile), signMessage(Buffer.from(sums), key, about))
  return [join(folder, sumsFile), join(folder, signatureFile)]
}
