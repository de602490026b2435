const block = 512

export interface TarFile {
  /** At most 100 bytes, in ASCII. */
  readonly name: string
  readonly bytes: Buffer
}

const octal = (value: number, width: number): string => `${value.toString(8).padStart(width - 1, '0')}\0`

/** A header as POSIX.1-1988 has it (ustar). Its time is the epoch, so that the same files give the same bytes. */
const header = ({ name, bytes }: TarFile): Buffer => {
  const head = Buffer.alloc(block)
  if (Buffer.byteLength(name) > 100) throw new RangeError(`${name} is too long a name`)
  head.write(name, 0)
  head.write(octal(0o644, 8), 100)
  head.write(octal(0, 8), 108)
  head.write(octal(0, 8), 116)
  head.write(octal(bytes.length, 12), 124)
  head.write(octal(0, 12), 136)
  head.write(' '.repeat(8), 148)
  head.write('0', 156)
  head.write('ustar\x0000', 257, 'latin1')
  const sum = head.reduce((total, byte) => total + byte, 0)
  head.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return head
}

/** An archive of these files, in their order. */
export const tarOf = (files: readonly TarFile[]): Buffer =>
  Buffer.concat([
    ...files.flatMap((file) => [header(file), file.bytes, Buffer.alloc((block - (file.bytes.length % block)) % block)]),
    Buffer.alloc(2 * block),
  ])
