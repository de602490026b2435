/** Escapes of JSON that mean something else in an array of Postgres. */
const foreignEscape = /\\[bfnrtu]/

const quoteElement = (value: string | number | null): string =>
  typeof value === 'string' ? `"${value.replace(/[\\"]/g, '\\$&')}"` : String(value)

/**
 * The text of a Postgres array (section 8.15.6 of its manual), to be cast where it is used: `?::text[]`.
 * It is the JSON text in other brackets, unless that holds an escape besides `\"` and `\\`; node-postgres quotes each element
 * by itself, which takes longer than all the rest of a batch's way to the socket.
 */
export const arrayText = (values: readonly (string | number | null)[]): string => {
  const json = JSON.stringify(values)
  return foreignEscape.test(json) ? `{${values.map(quoteElement).join(',')}}` : `{${json.slice(1, -1)}}`
}
