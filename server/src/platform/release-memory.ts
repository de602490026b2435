/**
 * Frees the memory of a buffer that nobody will read any more, now and not at the next collection. Node allocates one
 * for each chunk of a body and each output of a cipher; left to V8, the whole heap is marked for every 13 MiB of an
 * upload: two thirds of the 11 ms of processor that a MiB took, which are 3.0 to 3.3 ms without (docs/decisions/0006). Only
 * the code that made or received a buffer may release it, and only where it hands it to nobody who keeps it. A buffer that
 * shares its memory with others is left alone.
 */
export const releaseMemory = ({ buffer, byteLength }: Buffer): void => {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0)
}
