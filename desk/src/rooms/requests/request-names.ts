import type { ReadResult } from '../../data/desk-api.ts'

export type RequestItem = ReadResult<'portal.candidateRequests.get'>
export type Preview = ReadResult<'portal.candidateRequests.preview'>

/** The ends of a request, to narrow the list to. */
export const statuses = ['received', 'acknowledged', 'approved', 'declined', 'completed'] as const
export const kinds = ['context_statement', 'access', 'erasure', 'aids', 'accommodation'] as const

/** One of what there is to choose; an address may hold anything. */
export const oneOf = <Name extends string>(names: readonly Name[], given: string | undefined): Name | undefined =>
  names.find((name) => name === given)

/** All that is stored, as two figures. */
export const sumOf = ({ collected }: Pick<Preview, 'collected'>): { readonly n: number; readonly bytes: number } => ({
  n: collected.reduce((sum, { objects }) => sum + objects, 0),
  bytes: collected.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
})
