import { words32, type XConnection } from './x-connection.ts'

// X11 core protocol: ChangeWindowAttributes, GetProperty.
const changeWindowAttributes = 2
const eventMask = 0x800
const getProperty = 20
const anyType = 0
const headerBytes = 32

/** Asks the server to send these events of a window. @throws XRefusal for a window that is gone */
export const selectEvents = (connection: XConnection, window: number, mask: number): Promise<void> =>
  connection.change(changeWindowAttributes, 0, words32(window, eventMask, mask))

/** What a reply holds; undefined in another format. @throws Error when it says that it is longer than what came */
const contentsOf = (reply: Buffer, format: number): Buffer | undefined => {
  if (reply[1] !== format) return undefined
  const bytes = reply.readUInt32LE(16) * (format / 8)
  if (headerBytes + bytes > reply.length) throw new Error('the X server gives a property that is shorter than it says')
  return reply.subarray(headerBytes, headerBytes + bytes)
}

const readProperty = async (
  connection: XConnection,
  window: number,
  property: number,
  { format, mostBytes }: { format: 8 | 32; mostBytes: number },
): Promise<Buffer | undefined> => {
  const body = words32(window, property, anyType, 0, Math.ceil(mostBytes / 4))
  return contentsOf(await connection.ask(getProperty, 0, body), format)
}

/** A window's property that is text, its first bytes; undefined when it has none. @throws XRefusal for a window that is gone */
export const readBytes = (connection: XConnection, window: number, property: number, mostBytes: number) =>
  readProperty(connection, window, property, { format: 8, mostBytes })

/** A window's property that is a list of windows, atoms or numbers; undefined when it has none. */
export const readWords = async (
  connection: XConnection,
  window: number,
  property: number,
  most: number,
): Promise<number[] | undefined> => {
  const bytes = await readProperty(connection, window, property, { format: 32, mostBytes: 4 * most })
  return bytes && Array.from({ length: bytes.length / 4 }, (_, index) => bytes.readUInt32LE(4 * index))
}
