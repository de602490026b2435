import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { AtsProvider } from '@integrity/protocol'
import type { Config } from '../../src/kernel/config.ts'
import { Refused, systems, type TheirApplicant, type TheirWorld } from './ats-systems.ts'
import type { AskedOfPeer } from './described.ts'
import type { TestServer } from './server.ts'

export interface AskedOfAts extends AskedOfPeer {
  readonly system: keyof typeof systems
}
type Fault = { status: number; headers?: Record<string, string>; body?: string } | 'cut'

/** Four applicant tracking systems as far as they are called, each held to its own description. */
export interface AtsDouble extends TheirWorld {
  readonly url: string
  readonly asked: AskedOfAts[]
  /** What was asked or answered in another way than a description says. */
  readonly broken: string[]
  /** Answers in place of the usual one. `after`: what was asked is done, but its answer is lost. */
  fault: ((asked: AskedOfAts) => Fault | 'after' | undefined) | undefined
  /** Has an answer come in another shape than it is described today. */
  reshape: ((asked: AskedOfAts, body: unknown) => unknown) | undefined
  stop(): Promise<void>
}
type Double = Omit<AtsDouble, 'url' | 'stop'>

const readAll = async (request: IncomingMessage): Promise<string> => {
  const pieces: Buffer[] = []
  for await (const piece of request) pieces.push(piece as Buffer)
  return Buffer.concat(pieces).toString('utf8')
}

interface Reply {
  readonly status: number
  readonly headers?: Record<string, string>
  readonly text: string
}

const answerTo = (double: Double, asked: AskedOfAts): Reply => {
  const { peer, answer } = systems[asked.system]
  const wrong = peer.wrongIn(asked)
  double.broken.push(...wrong)
  if (wrong.length > 0) return { status: 400, text: wrong.join('\n') }
  const { status, type, body: example } = peer.example(asked)
  try {
    const { body, headers } = answer(double, asked, example)
    double.broken.push(...peer.wrongInAnswer(asked, body))
    const text = JSON.stringify(double.reshape?.(asked, body) ?? body)
    return { status, headers: { 'content-type': type, ...headers }, text }
  } catch (error) {
    if (!(error instanceof Refused)) double.broken.push(String(error))
    return { status: error instanceof Refused ? error.status : 500, text: String(error) }
  }
}

export const startAtsDouble = async (): Promise<AtsDouble> => {
  const double: Double = {
    asked: [],
    broken: [],
    notes: [],
    people: new Map(),
    tokens: new Set(),
    fault: undefined,
    reshape: undefined,
  }
  const server = createServer((request, response) => {
    void readAll(request).then((body) => {
      const { pathname, searchParams: query } = new URL(request.url ?? '/', 'http://double')
      const [, system = '', ...rest] = pathname.split('/')
      const { method = '', headers } = request
      const asked = { system: system as AskedOfAts['system'], method, path: `/${rest.join('/')}`, query, headers, body }
      double.asked.push(asked)
      const fault = double.fault?.(asked)
      if (fault === 'cut') return request.socket.destroy()
      if (fault !== undefined && fault !== 'after')
        return response.writeHead(fault.status, fault.headers ?? {}).end(fault.body ?? '')
      const reply = answerTo(double, asked)
      if (fault === 'after') return request.socket.destroy()
      return response.writeHead(reply.status, reply.headers ?? {}).end(reply.text)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return Object.assign(double, {
    url: `http://127.0.0.1:${port}`,
    stop: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  })
}

/** Has a running server ask the double in place of the makers' own. */
export const haveAts = ({ app }: TestServer, { url }: Pick<AtsDouble, 'url'>): void => {
  const ats = {
    greenhouse: `${url}/greenhouse`,
    greenhouseAuth: `${url}/auth`,
    lever: `${url}/lever`,
    ashby: `${url}/ashby`,
    teamtailor: `${url}/teamtailor`,
    greenhouse_assessment: url,
  } satisfies Record<AtsProvider | 'greenhouseAuth', string>
  Object.assign(app.config as { -readonly [K in keyof Config]: Config[K] }, { ats })
}

let made = 0
export const theirApplicant = (
  double: Pick<AtsDouble, 'people'>,
  more: Partial<TheirApplicant> = {},
): TheirApplicant => {
  made += 1
  const person = {
    applicationId: String(10_000 + made),
    candidateId: String(20_000 + made),
    first: 'Asha',
    last: 'Verma',
    email: `asha${made}@example.org`,
    stage: { id: '71416', name: 'Technical interview' },
    ...more,
  }
  double.people.set(person.applicationId, person)
  return person
}

let shared: Promise<AtsDouble> | undefined
/** One for all examples of a process; it holds nothing that outlives it. */
export const sharedAtsDouble = (): Promise<AtsDouble> => {
  shared ??= startAtsDouble()
  return shared
}
