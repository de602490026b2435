import type * as z from 'zod'
import { excessOf } from '../json-shape.ts'
import { ProviderFailed } from './provider-failed.ts'

/** A page of a hundred candidates with all their fields has less. */
const bounds = { maxDepth: 64, maxValues: 50_000 }

/** What a provider answered, as its interface says that it answers. @throws ProviderFailed naming what is missing */
export const parsed = <T>(name: string, text: string, shape: z.ZodType<T>): T => {
  if (excessOf(Buffer.from(text), bounds))
    throw new ProviderFailed('refused', `${name} answers more than anything that was asked for`)
  let given: unknown
  try {
    given = JSON.parse(text)
  } catch {
    throw new ProviderFailed('waits', `${name} answers something that is no JSON`)
  }
  const known = shape.safeParse(given)
  if (known.success) return known.data
  throw new ProviderFailed(
    'refused',
    `${name} answers something else than its interface says: ${misfit(known.error)} is not as it should be`,
  )
}

/** Where something is not of the shape it should have. */
export const misfit = ({ issues: [issue] }: z.ZodError): string => issue?.path.join('.') || 'the whole'
