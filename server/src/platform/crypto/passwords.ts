import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'

/** OWASP's second recommendation for argon2id: 19 MiB, 2 passes, 1 lane. Memory in KiB. */
const cost = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 }

/** Each running hash holds its 19 MiB, so only so many run at once; the others wait in line. */
const maxAtOnce = 2
let running = 0
const waiting: (() => void)[] = []

/** How many hashes wait: whoever takes passwords from strangers looks before adding to the line. */
export const passwordsWaiting = (): number => waiting.length

const inTurn = async <T>(work: () => Promise<T>): Promise<T> => {
  if (running >= maxAtOnce) await new Promise<void>((resolve) => waiting.push(resolve))
  else running += 1
  try {
    return await work()
  } finally {
    const next = waiting.shift()
    if (next) next()
    else running -= 1
  }
}

const derive = (password: string, nonce: Buffer): Promise<Buffer> =>
  inTurn(
    () =>
      new Promise((resolve, reject) => {
        argon2(
          'argon2id',
          { ...cost, message: Buffer.from(password.normalize('NFKC'), 'utf8'), nonce },
          (error, tag) => (error ? reject(error) : resolve(Buffer.from(tag))),
        )
      }),
  )

const encode = (bytes: Buffer): string => bytes.toString('base64').replace(/=+$/, '')

/** An argon2id hash in PHC text form (`$argon2id$v=19$m=19456,t=2,p=1$salt$hash`), RFC 9106. */
export const hashPassword = async (password: string): Promise<string> => {
  const nonce = randomBytes(16)
  const tag = await derive(password, nonce)
  return `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${encode(nonce)}$${encode(tag)}`
}

/** Whether the password is the one that was hashed. A text of another form is nobody's password. */
export const verifyPassword = async (password: string, hash: string): Promise<boolean> => {
  const [, algorithm, , parameters, salt, tag] = hash.split('$')
  const known = `m=${cost.memory},t=${cost.passes},p=${cost.parallelism}`
  if (algorithm !== 'argon2id' || parameters !== known || !salt || !tag) return false
  const expected = Buffer.from(tag, 'base64')
  const actual = await derive(password, Buffer.from(salt, 'base64'))
  return expected.length === actual.length && timingSafeEqual(expected, actual)
}
