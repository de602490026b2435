import { describe, expect, it } from 'vitest'
import { servicesTakeCallAndInput } from './service-calls.ts'

const found = (text: string, path = 'server/src/domains/review/notes/notes.service.ts') =>
  servicesTakeCallAndInput.find([{ path, text }]).map(({ message }) => message)

describe('what a service takes', () => {
  it('is a call and one input', () => {
    expect(
      found('export const readNote = async (call: Reads, { id, query }: Wanted) => find(call, id, query)'),
    ).toEqual([])
  })

  it('is not a third thing beside them, in whatever way the function is written', () => {
    for (const text of [
      'export const readNotes = async (call: Reads, sessionId: string, query: PageQuery) => 1',
      'export const readNotes = <K extends Kind>(call: Reads, { a, b }: Pick<Row, "a" | "b">, kind: K = note) => 1',
      'export async function* readNotes(call: Reads, id: string, ...more: string[]) {}',
    ])
      expect(found(text)).toEqual(['readNotes takes 3 parameters; name what comes behind the call: (call, input)'])
  })

  it('is nobody else’s affair: neither what a file keeps for itself, nor a store', () => {
    expect(found('const at = (call: Reads, a: string, b: string) => 1')).toEqual([])
    expect(found('export const f = (a: A, b: B, c: C) => 1', 'server/src/domains/review/notes/notes.store.ts')).toEqual(
      [],
    )
  })
})
