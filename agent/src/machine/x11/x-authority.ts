import { readFile } from 'node:fs/promises'
import { homedir, hostname } from 'node:os'
import { join } from 'node:path'
import type { Environment } from '../../shared/child-process.ts'

/** Families of Xau: this host by its name, and any. */
const local = 256
const wild = 65_535

export interface XCookie {
  name: string
  data: Buffer
}
const noCookie: XCookie = { name: '', data: Buffer.alloc(0) }
const magicCookie = 'MIT-MAGIC-COOKIE-1'

/**
 * The cookie for a display in an Xauthority file (Xau(3): entries of a family and four counted texts, big-endian), one of
 * this host before any other; undefined when there is none. A file that is cut short gives what came before.
 */
export const parseXAuthority = (file: Buffer, display: string, host: string): XCookie | undefined => {
  const fitting: { own: boolean; cookie: XCookie }[] = []
  for (let at = 0; at + 2 <= file.length; ) {
    const family = file.readUInt16BE(at)
    at += 2
    const texts: Buffer[] = []
    while (texts.length < 4 && at + 2 <= file.length) {
      const length = file.readUInt16BE(at)
      if (at + 2 + length > file.length) break
      texts.push(file.subarray(at + 2, at + 2 + length))
      at += 2 + length
    }
    const [address, number, name, data] = texts
    if (!address || !number || !name || !data) break
    if (name.toString() !== magicCookie || !['', display].includes(number.toString())) continue
    const own = family === wild || (family === local && address.toString() === host)
    fitting.push({ own, cookie: { name: magicCookie, data } })
  }
  return (fitting.find(({ own }) => own) ?? fitting[0])?.cookie
}

/** The cookie that this environment's user has for a display; an empty one where none is needed. */
export const readXCookie = async (env: Environment, display: string): Promise<XCookie> => {
  const path = env['XAUTHORITY'] || join(env['HOME'] || homedir(), '.Xauthority')
  const file = await readFile(path).catch(() => undefined)
  return (file && parseXAuthority(file, display, hostname())) ?? noCookie
}
