import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'

export interface ReceivedMail {
  readonly to: string[]
  /** As it came, headers and body. */
  readonly text: string
}

export interface SmtpServer {
  readonly received: ReceivedMail[]
  readonly url: string
  /** Every further message is refused with this code; undefined: taken again. */
  refuse(code: number | undefined): void
  /** Called when somebody connects, before they are greeted. */
  onConnected(hook: () => void): void
  /** Called with each message that was taken, before its sender is told so. */
  onTaken(hook: () => void | Promise<void>): void
  stop(): Promise<void>
}

/** A real SMTP server on the loopback. */
export const startSmtp = async (refuseWith?: number): Promise<SmtpServer> => {
  const received: ReceivedMail[] = []
  let code = refuseWith
  let connected = (): void => undefined
  let taken = (): void | Promise<void> => undefined
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onConnect(_session, done) {
      connected()
      done()
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        if (code) return done(Object.assign(new Error('no'), { responseCode: code }))
        const to = session.envelope.rcptTo.map(({ address }) => address)
        received.push({ to, text: Buffer.concat(chunks).toString('utf8') })
        void Promise.resolve(taken()).then(() => done(), done)
      })
    },
  })
  // A client that dies in the middle is part of what is tested.
  server.on('error', () => undefined)
  const listening = server.listen(0, '127.0.0.1')
  await once(listening, 'listening')
  const { port } = listening.address() as AddressInfo
  return {
    received,
    url: `smtp://127.0.0.1:${port}`,
    refuse: (next) => {
      code = next
    },
    onConnected: (hook) => {
      connected = hook
    },
    onTaken: (hook) => {
      taken = hook
    },
    stop: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}
