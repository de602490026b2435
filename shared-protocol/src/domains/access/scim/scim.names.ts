import * as z from 'zod'

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Names of attributes compare without case (RFC 7643, section 2.1): what is sent is read under its usual name. */
export const anyCase = <T extends z.ZodRawShape>(shape: T) => {
  const usual = new Map(Object.keys(shape).map((name) => [name.toLowerCase(), name]))
  const spelled = (given: unknown): unknown =>
    isObject(given)
      ? Object.fromEntries(Object.entries(given).map(([name, value]) => [usual.get(name.toLowerCase()) ?? name, value]))
      : given
  return z.preprocess(spelled, z.object(shape))
}

/** Text as some identity providers have it: a number for an employee is text to others. */
export const looseText = (max: number) =>
  z.preprocess((given) => (typeof given === 'number' ? String(given) : given), z.string().max(max))
