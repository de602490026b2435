import { maxScimPage, scimUrns } from '@integrity/protocol'
import { type Selection, selected } from './resource.model.ts'

/** What was asked of a list, over any of its ways (RFC 7644, section 3.4.2). */
export interface ListQuery extends Selection {
  readonly filter?: string | null | undefined
  readonly startIndex: number
  readonly count: number
}
interface Part {
  readonly skip: number
  readonly take: number
}
/** One kind of resource: how many there are, and how a part of them is read. */
export type Source<T extends object> = () => Promise<{
  readonly total: number
  readonly page: (part: Part) => Promise<T[]>
}>

/** A page of one kind of resource after the other. What lies outside the bounds is the nearest bound, as the RFC says. */
export const listOf = async <T extends object>(query: ListQuery, sources: readonly Source<T>[]) => {
  const startIndex = Math.max(1, query.startIndex)
  const count = Math.min(maxScimPage, Math.max(0, query.count))
  const resources: T[] = []
  let totalResults = 0
  for (const source of sources) {
    const { total, page } = await source()
    const skip = Math.max(0, startIndex - 1 - totalResults)
    const take = count - resources.length
    if (take > 0 && skip < total) resources.push(...(await page({ skip, take })))
    totalResults += total
  }
  return {
    schemas: [scimUrns.list],
    totalResults,
    startIndex,
    itemsPerPage: resources.length,
    Resources: resources.map((resource) => selected(resource, query)),
  }
}
