/** One small change of a file, and the test files that are nearest to it. */
export interface Mutation {
  /** The line of the list in which it begins. */
  readonly line: number
  readonly file: string
  readonly tests: readonly string[]
  readonly find: string
  readonly put: string
}

/**
 * Reads a list. `@ FILE < TEST…` names a file and its nearest tests; each run of `- ` lines after it is a text that stands once
 * in the file, and the run of `+ ` lines behind it what is put in its place. `#` begins a remark.
 * @throws what does not read so
 */
export const readMutations = (text: string): Mutation[] => {
  const mutations: Mutation[] = []
  let at: Pick<Mutation, 'file' | 'tests'> | undefined
  let open: { line: number; find: string[]; put: string[] } | undefined
  const close = (): void => {
    if (open && at) mutations.push({ ...at, line: open.line, find: open.find.join('\n'), put: open.put.join('\n') })
    open = undefined
  }
  for (const [index, row] of text.split('\n').entries()) {
    const said = row.slice(2)
    if (row.startsWith('-') && at) {
      if (open && open.put.length > 0) close()
      open ??= { line: index + 1, find: [], put: [] }
      open.find.push(said)
    } else if (row.startsWith('+') && open) open.put.push(said)
    else if (row === '' || row.startsWith('#')) close()
    else if (row.startsWith('@ ')) {
      close()
      const [file = '', tests = ''] = said.split(' < ')
      at = { file: file.trim(), tests: tests.trim().split(/ +/) }
    } else throw new Error(`line ${index + 1} of the list is none: ${row}`)
  }
  close()
  return mutations
}

/** @returns the changed text; undefined where the text to change does not stand there exactly once */
export const mutate = (text: string, { find, put }: Pick<Mutation, 'find' | 'put'>): string | undefined => {
  const at = text.indexOf(find)
  if (find === '' || at < 0 || text.indexOf(find, at + 1) >= 0) return undefined
  return text.slice(0, at) + put + text.slice(at + find.length)
}
