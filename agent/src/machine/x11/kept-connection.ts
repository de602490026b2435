import type { Environment } from '../../shared/child-process.ts'
import { XConnection, type XExtension } from './x-connection.ts'

/** A connection that stays open between questions, with what the server said of its extensions and names. */
interface Kept {
  connection: XConnection
  extensions: Map<string, XExtension>
  names: Map<number, string>
}

export interface XAsker {
  readonly connection: XConnection
  readonly extension: (name: string) => Promise<XExtension>
  /** The text of an atom. */
  readonly nameOf: (atom: number) => Promise<string>
}

const getAtomName = 17

const kept = new Map<string, Promise<Kept>>()

const keyOf = (env: Environment): string => JSON.stringify([env['DISPLAY'], env['XAUTHORITY'], env['HOME']])

const keep = (key: string, env: Environment): Promise<Kept> => {
  const forget = (): void => void kept.delete(key)
  const opening = XConnection.open(env).then((connection) => {
    connection.unref()
    connection.ended.catch(forget)
    return { connection, extensions: new Map(), names: new Map() }
  })
  kept.set(key, opening)
  opening.catch(forget)
  return opening
}

const known = async <K, V>(map: Map<K, V>, key: K, ask: () => Promise<V>): Promise<V> => {
  const value = map.get(key) ?? (await ask())
  map.set(key, value)
  return value
}

/**
 * Puts questions to an X server over one connection for each display, which is opened at the first and stays. It does not
 * keep the process alive. @throws Error when the server cannot be asked
 */
export const askX = async <T>(env: Environment, question: (asker: XAsker) => Promise<T>): Promise<T> => {
  const key = keyOf(env)
  const { connection, extensions, names } = await (kept.get(key) ?? keep(key, env))
  return question({
    connection,
    extension: (name) => known(extensions, name, () => connection.extension(name)),
    nameOf: (atom) => known(names, atom, () => readName(connection, atom)),
  })
}

const readName = async (connection: XConnection, atom: number): Promise<string> => {
  const body = Buffer.alloc(4)
  body.writeUInt32LE(atom)
  const reply = await connection.ask(getAtomName, 0, body)
  return reply.toString('latin1', 32, 32 + reply.readUInt16LE(8))
}
