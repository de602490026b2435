import * as z from 'zod'

const word = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+"
const label = '[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?'
/** A dot-atom (RFC 5322, section 3.2.3) at a domain name whose last label is no number. Quoted local parts are none. */
const address = new RegExp(`^${word}(?:\\.${word})*@(?:${label}\\.)+[A-Za-z](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])$`)
const longest = 254

/** What a URL would read as more than the name of a host. */
const noHost = /[\s/?#:@\\%[\]<>^|]/

/** Trimmed, with the domain in its ASCII form (UTS 46): `jo@müller.example` is `jo@xn--mller-kva.example`. */
const withAsciiDomain = (given: string): string => {
  const text = given.trim()
  const at = text.lastIndexOf('@')
  const domain = text.slice(at + 1)
  if (at < 1 || /^[\x21-\x7e]*$/.test(domain) || noHost.test(domain)) return text
  try {
    return `${text.slice(0, at + 1)}${new URL(`http://${domain}`).hostname}`
  } catch {
    return text
  }
}

const fault = 'must be an e-mail address, such as name@example.org'

/** An address that is written to: trimmed, with an ASCII domain. */
export const emailAddress = z.string().overwrite(withAsciiDomain).max(longest).regex(address, fault)

/** An account's address, as it is compared: trimmed, in lower case, with an ASCII domain (RFC 5321). */
export const mailAddress = z
  .string()
  .overwrite((given) => withAsciiDomain(given).toLowerCase())
  .max(longest)
  .regex(address, fault)

/** An address of another system as accounts have theirs; undefined where it is none. */
export const mailAddressOf = (given: string | null | undefined): string | undefined => mailAddress.safeParse(given).data
