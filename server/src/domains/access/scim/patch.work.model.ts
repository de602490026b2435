import { scimFault } from './faults.model.ts'

export interface PatchOperation {
  readonly op: string
  readonly path?: string | null | undefined
  readonly value?: unknown
}

/** Elements that the operations of one PATCH may look at: thirty times all members of the largest group. */
const maxVisits = 300_000

/** What the operations of one PATCH may still cost. */
export interface Budget {
  /** Counts an operation on these elements. @throws ServiceError `tooMany` where the operations cost too much together */
  spend(...lists: readonly unknown[]): void
}

export const budgetOf = (): Budget => {
  let left = maxVisits
  return {
    spend: (...lists) => {
      for (const list of lists) left -= Array.isArray(list) ? list.length : 1
      if (left < 0) throw scimFault('tooMany', 'Operations: they cost too much together: send fewer at a time')
    },
  }
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value])

interface Simple {
  readonly op: 'add' | 'remove'
  readonly value: readonly unknown[]
}

/** An operation that adds members, or removes one that it names: what identity providers send by the hundred. */
const simpleOf = ({ op, path, value }: PatchOperation): Simple | undefined => {
  const verb = op.toLowerCase()
  if (
    path?.toLowerCase() === 'members' &&
    value !== undefined &&
    value !== null &&
    (verb === 'add' || verb === 'remove')
  )
    return { op: verb, value: listOf(value) }
  const [, id] = (verb === 'remove' && /^members\[\s*value\s+eq\s+"([\w-]{1,128})"\s*\]$/i.exec(path ?? '')) || []
  return id === undefined ? undefined : { op: 'remove', value: [{ value: id.toLowerCase() }] }
}

/** The same operations with those in a row joined that do the same to the members, so that they walk the members once. */
export const together = (operations: readonly PatchOperation[]): PatchOperation[] => {
  const joined: PatchOperation[] = []
  let run: { readonly op: Simple['op']; readonly value: unknown[] } | undefined
  for (const operation of operations) {
    const simple = simpleOf(operation)
    if (simple && simple.op === run?.op) {
      for (const element of simple.value) run.value.push(element)
      continue
    }
    run = simple && { op: simple.op, value: [...simple.value] }
    joined.push(run ? { op: run.op, path: 'members', value: run.value } : operation)
  }
  return joined
}
