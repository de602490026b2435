import type { Criterion } from './criterion.ts'
import { operable } from './operable.ts'
import { perceivable } from './perceivable.ts'
import { understandable } from './understandable.ts'

/** Levels A and AA, in their order; 4.1.1 is no criterion of WCAG 2.2. */
export const criteria: readonly Criterion[] = [...perceivable, ...operable, ...understandable]
