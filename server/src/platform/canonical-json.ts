import canonical from 'canonicalize'

/** RFC 8785 canonical JSON text. Throws for what JSON cannot hold. */
export const canonicalize = (value: unknown): string => {
  const text = (canonical as unknown as (value: unknown) => string | undefined)(value)
  if (text === undefined) throw new TypeError('this value has no JSON form')
  return text
}
