import type { ListQuery } from '../data/route.ts'

/** What the page of a section is given: which one thing the address names, and how its list is narrowed. */
export interface SectionProps {
  readonly id?: string | undefined
  readonly query: ListQuery
}
