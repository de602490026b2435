/** A value inside a filter (RFC 4515, section 3): what means something there is written as its number. */
const escaped = (value: string): string =>
  value.replaceAll(/[\\*()]/g, (sign) => `\\${sign.charCodeAt(0).toString(16)}`).replaceAll('\0', '\\00')

/** A filter with its places filled: `(uid={username})`. Whatever is put there stays a value. */
export const fillFilter = (template: string, values: Readonly<Record<'username' | 'dn', string>>): string =>
  template.replaceAll(/\{(username|dn)\}/g, (_all, name: 'username' | 'dn') => escaped(values[name]))
