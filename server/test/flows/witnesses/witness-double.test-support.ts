import { createHash, createPublicKey, generateKeyPairSync, sign } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { verifyCheckpoint } from '../../../src/kernel/audit/audit.checkpoint.ts'
import { verifyConsistency } from '../../../src/kernel/audit/audit.tree.ts'

const name = 'witness.example/1'

export interface WitnessDouble {
  readonly url: string
  readonly verifierKey: string
  /** Every body that it was sent. */
  readonly bodies: string[]
  /** Rows of the tree that it cosigned last, and its root. */
  seen: { size: number; root: Buffer }
  /** What it answers instead. */
  answer: ((cosignature: string) => { status: number; text: string }) | undefined
  /** In seconds. */
  time: number
  stop(): Promise<void>
}

/** A witness as c2sp.org/tlog-witness describes it, for the trail of one organisation whose key it was given. */
export const startWitness = async (orgId: string, ours: string): Promise<WitnessDouble> => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const raw = Buffer.from(String(publicKey.export({ format: 'jwk' }).x), 'base64url')
  const typed = Buffer.concat([Uint8Array.of(4), raw])
  const hash = createHash('sha256').update(`${name}\n`).update(typed).digest().subarray(0, 4)
  const x = Buffer.from(ours.split('+').slice(2).join('+'), 'base64').subarray(1).toString('base64url')
  const ourKey = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
  const double: WitnessDouble = {
    url: '',
    verifierKey: `${name}+${hash.toString('hex')}+${typed.toString('base64')}`,
    bodies: [],
    seen: { size: 0, root: Buffer.alloc(0) },
    answer: undefined,
    time: 1_700_000_000,
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  }
  const judge = (body: string): { status: number; text: string } => {
    const [old = '', ...lines] = body.slice(0, body.indexOf('\n\n')).split('\n')
    const note = body.slice(body.indexOf('\n\n') + 2)
    const size = Number(/^old ([0-9]+)$/.exec(old)?.[1])
    const reading = verifyCheckpoint([ourKey], orgId, note, 'tree')
    if (reading.status === 'invalid' || Number.isNaN(size)) return { status: 400, text: '' }
    if (reading.status !== 'verified') return { status: 403, text: '' }
    if (size !== double.seen.size) return { status: 409, text: `${double.seen.size}\n` }
    const root = Buffer.from(reading.head.hash, 'hex')
    const proof = lines.map((line) => Buffer.from(line, 'base64'))
    const grew = { size: reading.head.seq, root }
    if (size > 0 ? !verifyConsistency(double.seen, grew, proof) : proof.length > 0) return { status: 422, text: '' }
    double.seen = grew
    const time = Buffer.alloc(8)
    time.writeBigUInt64BE(BigInt(double.time))
    const text = `cosignature/v1\ntime ${double.time}\n${note.slice(0, note.lastIndexOf('\n\n') + 1)}`
    const signature = Buffer.concat([hash, time, sign(null, Buffer.from(text), privateKey)])
    return { status: 200, text: `\u2014 ${name} ${signature.toString('base64')}\n` }
  }
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const pieces: Buffer[] = []
    for await (const piece of request) pieces.push(piece as Buffer)
    const body = Buffer.concat(pieces).toString('utf8')
    double.bodies.push(body)
    const right = request.method === 'POST' && request.url === '/log/add-checkpoint'
    const judged = right ? judge(body) : { status: 404, text: '' }
    const { status, text } = double.answer?.(judged.text) ?? judged
    response.writeHead(status, { 'content-type': status === 409 ? 'text/x.tlog.size' : 'text/plain' }).end(text)
  }
  const server = createServer((...exchange) => void serve(...exchange))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  Object.assign(double, { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/log` })
  return double
}
