import { execFileSync } from 'node:child_process'
import { randomBytes, scryptSync } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { scryptCost } from '../../src/platform/minisign/secret-key.ts'

const installed = (() => {
  try {
    execFileSync('minisign', ['-v'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
})()

/** Whether tests against Debian's minisign run. On a build server they do: without it they must fail, not go untested. */
export const hasMinisign = installed || process.env['CI'] !== undefined
if (!hasMinisign) console.warn('SKIPPED: minisign is not installed (apt-get install -y minisign)')

/** libsodium's least limits (operations, bytes): milliseconds where minisign's own cost seconds and a GiB. */
const least = [32_768, 16_777_216] as const

/**
 * Puts a password on a secret key file that was made without one (`minisign -G -W`), in minisign's own form but at the
 * least cost, and without the checksum, which is not read here. Opening what minisign itself has locked is tested
 * beside the code that opens it.
 */
export const lockSecretKey = (file: string, password: string): void => {
  const [comment, line = ''] = readFileSync(file, 'utf8').split('\n')
  const bytes = Buffer.from(line, 'base64')
  const salt = randomBytes(32)
  const limits = Buffer.alloc(16)
  for (const [index, limit] of least.entries()) limits.writeBigUInt64LE(BigInt(limit), index * 8)
  const stream = scryptSync(password, salt, bytes.length - 54, scryptCost(...least))
  const sealed = bytes.subarray(54).map((byte, index) => byte ^ (stream[index] ?? 0))
  const locked = Buffer.concat([Buffer.from('EdSc'), bytes.subarray(4, 6), salt, limits, sealed])
  writeFileSync(file, `${comment}\n${locked.toString('base64')}\n`)
}
