import pg from 'pg'
import { Pulse } from '../../pulse.ts'
import { DatabaseUnreachable } from '../errors.ts'

interface PostgresPulseOptions {
  readonly connectionString: string
  readonly suspectMs?: number
  readonly answerMs?: number
}

/** The pulse of a Postgres: asked on a connection of its own. What the server itself answers, were it a refusal, is a sign of life. */
export const postgresPulse = ({ connectionString, ...times }: PostgresPulseOptions): Pulse =>
  new Pulse({
    ...times,
    ask: (signal) => answers(connectionString, signal),
    failure: (silence) => new DatabaseUnreachable(silence),
  })

const answers = async (connectionString: string, signal: AbortSignal): Promise<boolean> => {
  const client = new pg.Client({ connectionString })
  client.on('error', () => undefined)
  let lives = false
  const leave = () => {
    if (!lives) cutConnection(client)
    else void client.end().catch(() => undefined)
  }
  signal.addEventListener('abort', leave, { once: true })
  try {
    await client.connect()
    await client.query('SELECT 1')
    lives = true
  } catch (error) {
    lives = error instanceof pg.DatabaseError
  }
  return lives
}

/** Ends a connection without a word to the other side, which does not listen. */
export const cutConnection = (client: pg.ClientBase): void => {
  const { connection } = client as unknown as { connection: { stream: { destroy(): void } } }
  connection.stream.destroy()
}
