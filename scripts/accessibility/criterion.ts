import type { EvidenceName } from './evidence.ts'

/**
 * `supported`: tests look at it on every client that it concerns. `partly`: what is missing is said. `by_design`: how the clients
 * are made meets it, and no test looks. `not_applicable`: no client has what it is about. `not_evaluated`: nobody has looked.
 */
export type Result = 'supported' | 'partly' | 'by_design' | 'not_applicable' | 'not_evaluated'

/** A success criterion of WCAG 2.2. EN 301 549 V3.2.1 has those of WCAG 2.1 as its clauses 9.N. */
export interface Criterion {
  readonly number: string
  readonly level: 'A' | 'AA'
  readonly name: string
  readonly result: Result
  readonly remark: string
  readonly tests?: readonly EvidenceName[]
  /** New in WCAG 2.2, so without a clause of EN 301 549 V3.2.1. */
  readonly isNew?: true
}
