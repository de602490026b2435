import { emailAddress } from '@integrity/protocol'

type Given = string | null | undefined

const isAddress = (text: string): boolean => emailAddress.safeParse(text).success

/** The first that is an address; where none is, the first that is given, so that it can be said what is wrong. */
export const addressAmong = (given: readonly Given[]): string | null => {
  const all = given.map((one) => one?.trim() ?? '').filter((one) => one !== '')
  return all.find(isAddress) ?? all[0] ?? null
}

export const fullName = (...parts: readonly Given[]): string | null =>
  parts
    .map((part) => part?.trim() ?? '')
    .filter((part) => part !== '')
    .join(' ') || null
