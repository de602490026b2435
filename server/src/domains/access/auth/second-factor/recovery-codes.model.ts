import { randomBytes } from 'node:crypto'
import { recoveryCodeCount } from '@integrity/protocol'
import { hashSecret } from '../../../../platform/crypto/secrets.ts'

/** Crockford's: no letter that reads like a figure. */
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'
/** 80 bits: a hash of one tells nothing to whoever tries them all. */
const characters = 16

const newCode = (): string =>
  Array.from(randomBytes(characters), (byte) => alphabet[byte % alphabet.length])
    .join('')
    .replaceAll(/(.{4})(?=.)/g, '$1-')

/** A code as it was meant, whatever case, blanks and look-alikes it was typed with. */
const normalised = (code: string): string =>
  code
    .toLowerCase()
    .replaceAll(/[^0-9a-z]/g, '')
    .replaceAll('o', '0')
    .replaceAll(/[il]/g, '1')

export const hashOfCode = (code: string): string => hashSecret(normalised(code))

export const newCodes = (): string[] => Array.from({ length: recoveryCodeCount }, newCode)
