/** How glibc's `malloc` keeps memory (mallopt(3)), as environment. */
export const mallocSettings: Readonly<Record<string, string>> = {
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '262144',
  MALLOC_TRIM_THRESHOLD_: '262144',
}
