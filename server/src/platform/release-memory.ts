/**
 * Frees the memory of a buffer that nobody will read any more, now and not at the next collection. Node allocates one
 * for each chunk of a body and each output of a cipher; left to V8, the whole heap is marked for every 13 MiB of an
 * upload. A buffer that shares its memory with others is left alone.
 */
export const releaseMemory = ({ buffer, byteLength }: Buffer): void => {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0)
}
