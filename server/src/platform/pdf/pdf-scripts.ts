/** ISO 15924 codes of scripts that people write to each other in; the others are "other signs". */
const codes = [
  ...['Arab', 'Armn', 'Beng', 'Cher', 'Copt', 'Deva', 'Ethi', 'Geor', 'Gujr', 'Guru', 'Hang', 'Hani', 'Hebr', 'Hira'],
  ...['Kana', 'Khmr', 'Knda', 'Laoo', 'Mlym', 'Mong', 'Mymr', 'Nkoo', 'Olck', 'Orya', 'Sinh', 'Syrc', 'Taml', 'Telu'],
  ...['Thaa', 'Thai', 'Tibt', 'Yiii'],
]
const scripts = codes.map((code) => ({ code, letters: new RegExp(`\\p{Script=${code}}`, 'u') }))
const names = new Intl.DisplayNames('en', { type: 'script' })
const picture = /\p{Extended_Pictographic}|\p{Regional_Indicator}|\p{Emoji_Modifier}/u

const nameOf = (character: string): string => {
  const script = scripts.find(({ letters }) => letters.test(character))
  if (script) return names.of(script.code) ?? script.code
  if (picture.test(character)) return 'emoji'
  return /\p{L}/u.test(character) ? 'other letters' : 'other signs'
}

/** What people call the scripts of these characters, each once: `Han, Thai, emoji`. */
export const scriptsOf = (characters: string): string[] => [
  ...new Set(Array.from(characters.replace(/[\p{M}\p{Cf}\s]/gu, ''), nameOf)),
]
