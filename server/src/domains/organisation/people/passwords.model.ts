import { dictionary } from '@zxcvbn-ts/language-common'

/** What is known about whoever sets a password; no password is made of it. */
export interface PasswordOwner {
  readonly email: string
  readonly name?: string | null | undefined
  readonly organisation?: string | undefined
  /** Whether a second factor is on. */
  readonly secondFactor?: boolean
}

/** NIST SP 800-63B-4, 3.1.1.2, in code points; the ceiling is ours. */
const passwordLengths = { alone: 15, withSecondFactor: 8, most: 256 } as const

/** What the most common passwords are made of: some 49,000 that leaked most often, and long shapes that are not among them. */
const commonWords: ReadonlySet<string> = new Set([
  ...dictionary['passwords-common'],
  ...`abc abcd abcdef abcdefg asdfghjklzxcvbnm correcthorsebatterystaple letmeinplease login passphrase qwer qwertyuiopasdfg
   qwertyuiopasdfghjkl qwertyuiopasdfghjklzxcvbnm thisisapassword thisismypassword yourpassword zxcvbnmasdfghjkl`.split(
    /\s+/,
  ),
])
/** Figures and signs that are written for a letter. */
const written: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '8': 'b',
  '@': 'a',
  $: 's',
  '!': 'i',
  '|': 'l',
  '+': 't',
}
const fewCharacters = 4
const shortestWord = 3

/** The same text for what differs only in case, width or marks beside the letters. */
const folded = (text: string): string => text.normalize('NFKC').toLowerCase()
const lettersOf = (text: string): string => text.replaceAll(/[^\p{L}\p{M}]/gu, '')

/** What a text repeats from its beginning to its end; itself where it repeats nothing. */
const unitOf = (text: string): string => {
  const length = (text + text).indexOf(text, 1)
  return text.slice(0, length)
}

/** Whether each character follows the one before it, up or down, with 0 after 9. */
const isRun = (text: string): boolean => {
  const points = Array.from(text).map((character) => character.codePointAt(0) ?? 0)
  const steps = new Set(points.slice(1).map((point, n) => point - (points[n] ?? 0)))
  for (const [step, wrapped] of [
    [1, -9],
    [-1, 9],
  ] as const)
    if ([...steps].every((each) => each === step || (each === wrapped && /^\d+$/.test(text)))) return true
  return false
}

/** A text as its common forms: itself, with letters for figures, without what is before and behind its letters. */
const formsOf = (text: string): string[] => {
  const spelled = (of: string): string => of.replaceAll(/[^\p{L}]/gu, (sign) => written[sign] ?? '')
  const bare = text.replaceAll(/^[^\p{L}]+|[^\p{L}]+$/gu, '')
  return [text, lettersOf(text), spelled(text), spelled(bare)].map(unitOf)
}
const isCommon = (text: string): boolean =>
  new Set(text).size <= fewCharacters || isRun(text) || formsOf(text).some((form) => commonWords.has(form))

const wordsOf = ({ email, name, organisation }: PasswordOwner): string[] =>
  [email, name ?? '', organisation ?? '']
    .flatMap((text) => [lettersOf(folded(text)), ...folded(text).split(/[^\p{L}\p{M}]+/u)])
    .filter((word) => word.length >= shortestWord)
    .sort((a, b) => b.length - a.length)

/** Whether nothing of substance is left once the owner's own words are gone. */
const isMadeOfOwner = (text: string, owner: PasswordOwner): boolean => {
  const letters = lettersOf(text)
  const rest = wordsOf(owner).reduce((left, word) => left.replaceAll(word, ''), letters)
  return rest !== letters && (rest.length <= fewCharacters || commonWords.has(rest))
}

/** Why nobody may take this password from now on; undefined for one that is good. Those set before are not asked. */
export const passwordFault = (password: string, owner: PasswordOwner): string | undefined => {
  const text = folded(password)
  const length = Array.from(password.normalize('NFKC')).length
  const least = owner.secondFactor ? passwordLengths.withSecondFactor : passwordLengths.alone
  if (length < least) return `must have at least ${least} characters`
  if (length > passwordLengths.most) return `must have at most ${passwordLengths.most} characters`
  if (isCommon(text)) return 'is too common: others try it first'
  if (isMadeOfOwner(text, owner)) return 'must not be made of the address, the name or the organisation'
  return undefined
}
